package io.holdfast.lock.netty.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.CredentialsUnavailableException;
import io.holdfast.lock.netty.Logs;
import io.holdfast.lock.netty.TestNode;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Credentials that change: said on living connections, in RESP3 and RESP2, and asked for again where they are refused. */
@RedisTest
@Tag("proof")
class LoginRenewalTest {

    @Test
    void livingConnectionsLogInAnewAndStand(RedisServer server, RawRedis raw) {
        try (Logs logs = new Logs();
                Rotation rotation = new Rotation(server, Duration.ofSeconds(1))) {
            try (TestNode node = TestNode.connect(server.url(), rotation)) {
                List<String> news = new CopyOnWriteArrayList<>();
                node.subscribe("news", Recorder.into(news));
                await().until(() -> news.contains("ready"));
                List<String> before = connectionsOf(raw, Rotation.USER);
                assertThat(before).hasSize(2);

                await().until(() -> {
                    assertThat(node.echo("hello").await()).isEqualTo("hello");
                    return rotation.calls() > 6;
                });

                assertThat(connectionsOf(raw, Rotation.USER)).isEqualTo(before);
                assertThat(node.news).hasSize(1);
                raw.command("PUBLISH", "news", "still heard");
                await().until(() -> news.contains("still heard"));
            }
            assertThat(logs.ours(Level.WARN)).isEmpty();
            assertThat(logs.everything()).isNotEmpty().noneMatch(line -> line.contains("canary"));
        }
    }

    @Test
    void inResp2TheMessageConnectionIsMadeAnew() {
        try (RedisServer server = RedisServer.builder()
                        .option("rename-command", "HELLO", "\"\"")
                        .start();
                RawRedis raw = server.connect();
                Logs logs = new Logs();
                Rotation rotation = new Rotation(server, Duration.ofSeconds(1))) {
            try (TestNode node = TestNode.connect(server.url(), rotation)) {
                List<String> news = new CopyOnWriteArrayList<>();
                node.subscribe("news", Recorder.into(news));
                await().until(() -> count(news, "ready") >= 4);
                assertThat(node.news).as("the command connection stands").hasSize(1);
                await().until(() -> {
                    raw.command("PUBLISH", "news", "still heard");
                    return news.contains("still heard");
                });
            }
            assertThat(logs.ours(Level.WARN)).isEmpty();
            assertThat(logs.everything()).isNotEmpty().noneMatch(line -> line.contains("canary"));
        }
    }

    @Test
    void aCutOfAConnectionWhoseCredentialsAreOverIsNoIncident(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">one", "+@all", "~*", "&*");
        AtomicInteger calls = new AtomicInteger();
        Instant start = Instant.now();
        CredentialsProvider provider = () -> calls.incrementAndGet() == 1
                ? CompletableFuture.completedFuture(Credentials.of("app", "one").expiringAt(start.plusSeconds(1)))
                : new CompletableFuture<>();
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url(), provider)) {
            await().until(() -> Duration.between(start, Instant.now()).toMillis() > 1_500);
            assertThat(calls).hasValue(2);
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> node.news.size() == 3);
            assertThat(node.news.get(1)).startsWith("down");
            assertThat(node.news.get(2)).startsWith("up");
            assertThat(logs.ours(Level.WARN)).noneMatch(line -> line.contains("No connection"));
            assertThat(logs.ours(Level.INFO)).anyMatch(line -> line.contains("has ended the connection for commands"));
        }
    }

    @Test
    void aRefusalAtAReconnectAsksOnceMoreBeforeItCounts(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">old", "+@all", "~*", "&*");
        AtomicReference<String> password = new AtomicReference<>("old");
        List<String> given = new CopyOnWriteArrayList<>();
        CredentialsProvider provider = () -> {
            given.add(password.get());
            Credentials credentials = Credentials.of("app", password.get());
            // The first answer after the change is an old one, as of a cache that has not heard of it.
            password.set(given.size() == 2 ? "new" : password.get());
            return CompletableFuture.completedFuture(credentials);
        };
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url(), provider)) {
            raw.command("ACL", "SETUSER", "app", "resetpass", ">new");
            raw.command("CONFIG", "RESETSTAT");
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> node.news.size() == 3);
            assertThat(given).containsExactly("old", "old", "new");
            assertThat(logs.ours(Level.WARN)).noneMatch(line -> line.contains("WRONGPASS"));

            raw.command("ACL", "SETUSER", "app", "resetpass", ">newer");
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> logs.ours(Level.DEBUG).stream().anyMatch(line -> line.contains("WRONGPASS")));
            assertThat(node.news).hasSize(4);
            assertThat(given.subList(3, 5)).containsExactly("new", "new");
            password.set("newer");
            await().until(() -> node.news.size() == 5);
        }
    }

    @Test
    void whatTheServerTookBeforeIsSaidWhereItRefusesWhatIsNew(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">one", "+@all", "~*", "&*");
        AtomicReference<String> password = new AtomicReference<>("one");
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(
                        server.url(), () -> CompletableFuture.completedFuture(Credentials.of("app", password.get())))) {
            password.set("canary-two");
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> node.news.size() == 3);
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("refused new credentials"))
                    .hasSize(1);

            raw.command("ACL", "SETUSER", "app", "<one", ">three");
            password.set("three");
            await().until(() -> logs.ours(Level.DEBUG).stream().anyMatch(line -> line.contains("Logged in anew")));
            assertThat(node.news).hasSize(3);
            assertThat(logs.everything()).noneMatch(line -> line.contains("canary-two"));
        }
    }

    @Test
    void anExpiredTokenIsAnOutageWhileTheProviderFails(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">one", "+@all", "~*", "&*");
        AtomicReference<String> token = new AtomicReference<>("one");
        CredentialsProvider provider = CredentialsProvider.supplier(() -> {
            if (token.get().isEmpty()) {
                throw new CredentialsUnavailableException("the vault is sealed");
            }
            return Credentials.of("app", token.get()).expiringAt(Instant.now().plusSeconds(60));
        });
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url(), provider)) {
            token.set("");
            raw.command("ACL", "SETUSER", "app", "resetpass", ">two");
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> logs.ours(Level.DEBUG).stream()
                    .anyMatch(line -> line.contains("vault is sealed") && line.contains("UNREACHABLE")));
            assertThat(node.news).doesNotContain("down WRONGPASS");
            token.set("two");
            await().until(() ->
                    node.news.stream().filter(line -> line.startsWith("up")).count() == 2);
        }
    }

    @Test
    void connectionsThatAreRefusedDoNotHurryEachOther(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">right", "+@all", "~*", "&*");
        AtomicInteger calls = new AtomicInteger();
        CredentialsProvider provider =
                () -> CompletableFuture.completedFuture(Credentials.of("app", "right" + calls.getAndIncrement()));
        raw.command("ACL", "SETUSER", "app", ">right0", ">right1");
        try (TestNode node = TestNode.connect(server.url(), provider)) {
            node.subscribe("news", Recorder.into(new CopyOnWriteArrayList<>()));
            await().until(() -> connectionsOf(raw, "app").size() == 2);
            raw.command("ACL", "SETUSER", "app", "resetpass", ">none of these");
            raw.command("CLIENT", "KILL", "USER", "app");
            Instant start = Instant.now();
            await().until(() -> Duration.between(start, Instant.now()).toMillis() > 1_500);
            assertThat(calls).hasValueLessThan(300);
        }
    }

    @Test
    void refusedCredentialsAreSaidOnceAndAskedForLessAndLess(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">right", "+@all", "~*", "&*");
        AtomicInteger calls = new AtomicInteger();
        CredentialsProvider provider = () -> CompletableFuture.completedFuture(
                calls.incrementAndGet() == 1
                        ? Credentials.of("app", "right")
                                .expiringAt(Instant.now().plusSeconds(1))
                        : Credentials.of("app", "wrong")
                                .expiringAt(Instant.now().plusSeconds(3600)));
        try (TestNode node = TestNode.connect(server.url(), provider)) {
            // Two at the renewal, and one after each of the pauses of 1 s and 2 s.
            await().until(() -> calls.get() >= 5);
            assertThat(raw.command("INFO", "errorstats").toString()).contains("errorstat_WRONGPASS:count=1");
            assertThat(node.news).hasSize(1);
        }
    }

    @Test
    void newCredentialsThatAreRefusedChangeNothing(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">right", "+@all", "~*", "&*");
        List<String> given = new CopyOnWriteArrayList<>();
        CredentialsProvider provider = () -> {
            given.add(given.isEmpty() ? "right" : "canary-wrong");
            return CompletableFuture.completedFuture(Credentials.of("app", given.get(given.size() - 1))
                    .expiringAt(Instant.now().plusMillis(1_200)));
        };
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url(), provider)) {
            await().until(() -> given.size() >= 4);
            assertThat(node.echo("hello").await()).isEqualTo("hello");
            assertThat(node.news).hasSize(1);
            assertThat(logs.ours(Level.WARN)).singleElement().asString().contains("refused new credentials");
            assertThat(logs.everything()).noneMatch(line -> line.contains("canary-wrong"));
        }
    }

    @Test
    void aProviderThatHangsAtAReconnectCostsNoConnection(RedisServer server, RawRedis raw) {
        raw.command("ACL", "SETUSER", "app", "on", ">one", "+@all", "~*", "&*");
        AtomicInteger calls = new AtomicInteger();
        CredentialsProvider provider = () -> calls.incrementAndGet() == 1
                ? CompletableFuture.completedFuture(Credentials.of("app", "one"))
                : new CompletableFuture<>();
        try (Logs logs = new Logs();
                TestNode node = TestNode.connect(server.url(), provider)) {
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> node.news.size() == 3);
            raw.command("CLIENT", "KILL", "USER", "app");
            await().until(() -> node.news.size() == 5);
            assertThat(logs.ours(Level.WARN))
                    .filteredOn(line -> line.contains("stays in use"))
                    .hasSize(1);
        }
    }

    private static long count(List<String> news, String word) {
        return news.stream().filter(word::equals).count();
    }

    /** The ids of a user's connections. */
    private static List<String> connectionsOf(RawRedis raw, String user) {
        return raw.clients().stream()
                .filter(client -> user.equals(client.get("user")) && "test".equals(client.get("name")))
                .map((Map<String, String> client) -> client.get("id"))
                .sorted()
                .toList();
    }
}
