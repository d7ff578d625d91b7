package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at locks and free them. */
class LookingCommandsTest {

    private static RedisServer server;
    private static LockClient client;
    private static LockHold hold;

    @TempDir
    Path folder;

    @BeforeAll
    static void holdOneLock() throws Exception {
        server = RedisServer.start();
        client = LockClient.connect(
                server.url(), ClientOptions.builder().applicationName("orders").build());
        hold = client.getLock("stock:\n42").acquire();
        Awaitility.await()
                .until(() ->
                        client.inspect("stock:\n42").holders().get(0).client().isPresent());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void listAndInspectShowTheHolder() {
        Ran list = Ran.at(server.url(), "list", "stock:*", "--held-by", "ORDERS");
        Ran json = Ran.at(server.url(), "list", "--json", "--sort", "held", "--limit", "1");
        Ran none = Ran.at(server.url(), "list", "no-such-*");
        Ran inspect = Ran.at(server.url(), "inspect", "stock:\n42", "--width", "40");
        Ran free = Ran.at(server.url(), "inspect", "free");
        assertThat(list.status()).isZero();
        assertThat(list.out()).contains("stock:\\u000a42").contains("exclusive orders@");
        assertThat(list.out().lines()).hasSize(2);
        assertThat(list.err()).startsWith("1 lock in ");
        assertThat(json.status()).isZero();
        assertThat(json.out().lines()).hasSize(1);
        assertThat(json.out())
                .startsWith("{\"name\":\"stock:\\u000a42\",\"mode\":\"exclusive\",\"leftMillis\":")
                .contains("\"owner\":\"" + hold.owner() + ":", "\"application\":\"orders\"");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.out()).isEmpty();
        assertThat(inspect.status()).isZero();
        assertThat(inspect.out()).contains("token    " + hold.fencingToken());
        assertThat(inspect.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(40));
        assertThat(free.status()).isEqualTo(1);
    }

    @Test
    void aLockIsFreedOnlyFromTheHolderThatWasNamed() throws Exception {
        LockOptions soonRenewed =
                LockOptions.builder().watchdogLease(Duration.ofSeconds(3)).build();
        try (LockHold stuck = client.getLock("stuck", soonRenewed).acquire()) {
            String owner = client.inspect("stuck").holders().get(0).owner();
            CompletableFuture<String> told = new CompletableFuture<>();
            stuck.onLost(loss -> told.complete(loss.reason().name()));
            Ran asked = Ran.at(server.url(), "release", "stuck");
            assertThat(asked.status()).isEqualTo(64);
            assertThat(asked.err()).contains("no terminal", "--yes --holder " + owner);
            assertThat(Ran.at(server.url(), "lock", "a", "true").err()).contains("comes after --");
            assertThat(Ran.at(server.url(), "release", "stuck", "--yes").status())
                    .isEqualTo(64);
            Ran other = Ran.at(server.url(), "release", "stuck", "--yes", "--holder", "another");
            assertThat(other.status()).isEqualTo(1);
            assertThat(other.err()).contains("is not held by that owner, but by " + owner);
            assertThat(client.inspect("stuck").locked()).isTrue();
            Ran right = Ran.at(server.url(), "release", "stuck", "--yes", "--holder", owner);
            assertThat(right.status()).isZero();
            assertThat(right.out()).contains("stuck is freed; orders@", "at its next renewal");
            assertThat(told.get(20, TimeUnit.SECONDS)).isIn("FORCED", "KEY_GONE");
        } catch (LockLostException expected) {
            assertThat(expected.name()).contains("stuck");
        }
    }

    @Test
    void watchTellsOfEachChange() throws Exception {
        try (Tool watch = Tool.start(server.url(), "watch", "seen", "--interval", "50ms", "--count", "3")) {
            watch.printed("seen free");
            try (LockHold taken = client.getLock("seen").acquire()) {
                watch.printed("seen taken orders@").printed(", token " + taken.fencingToken());
            }
            assertThat(watch.status()).isZero();
            assertThat(watch.out()).contains("seen released orders@");
        }
    }

    @Test
    void aClosedPipeEndsItWithoutAWord() throws Exception {
        String command = "\"$0\" \"$@\" | head -1";
        Process piped = new ProcessBuilder(
                        "sh",
                        "-c",
                        command,
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.holdfast.cli.Holdfast",
                        "watch",
                        "--url",
                        server.url(),
                        "--interval",
                        "50ms",
                        "a",
                        "b",
                        "c")
                .start();
        assertThat(new String(piped.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .hasSize(1);
        assertThat(piped.getErrorStream().readAllBytes()).isEmpty();
        assertThat(piped.waitFor()).isZero();
    }

    @Test
    void wrongAddressesAreToldWithoutTheirPasswords() throws Exception {
        Files.createDirectories(folder.resolve("holdfast"));
        Files.writeString(folder.resolve("holdfast/production.properties"), "address=" + server.url());
        Map<String, String> profiles = Map.of("XDG_CONFIG_HOME", folder.toString());
        Map<String, String> two = Map.of("HOLDFAST_URL", server.url(), "HOLDFAST_ADDRESS", server.url());
        Ran secret = Ran.of("list", "--url", "redis://me:canary@127.0.0.1");
        Ran misplaced = Ran.of("--url", "redis://me:canary@127.0.0.1", "list");
        Ran none = Ran.of("list");
        try (Tool both = Tool.start(two, "", "list");
                Tool misspelt = Tool.start(profiles, "", "list", "--profile", "prodution");
                Tool profile = Tool.start(profiles, "", "list", "--profile", "production")) {
            assertThat(secret.status()).isEqualTo(64);
            assertThat(misplaced.status()).isEqualTo(64);
            assertThat(secret.err() + misplaced.err())
                    .contains("has a password")
                    .doesNotContain("canary");
            assertThat(none.status()).isEqualTo(64);
            assertThat(none.err()).contains("no address");
            assertThat(both.status()).isEqualTo(64);
            assertThat(both.err()).contains("two addresses");
            assertThat(misspelt.status()).isEqualTo(64);
            assertThat(misspelt.err()).contains("the nearest is production");
            assertThat(profile.status()).isZero();
        }
    }
}
