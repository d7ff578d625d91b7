package io.holdfast.lock.tests.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.MonitoredCommand;
import io.holdfast.lock.testkit.RedisMonitor;
import io.holdfast.lock.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What some servers and providers refuse is never sent: keys that are not declared, CONFIG, and calls that are too long. */
class ProviderLimitsTest {

    /** A serverless offer takes no more words in one call. */
    private static final int MOST_ARGUMENTS = 3_999;

    private static final Path SCRIPTS =
            Path.of("..", "lock-core", "src", "main", "resources", "io", "holdfast", "lock", "engine");

    /** What scripts call that has no key; the last four are tried by a diagnosis on 6.2. */
    private static final Set<String> KEYLESS = Set.of("TIME", "PUBLISH", "PUBSUB", "PING", "INFO", "CLUSTER", "SCAN");

    @Test
    void scriptsTouchDeclaredKeysOnly() throws Exception {
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.start();
                RedisMonitor monitor = RedisMonitor.of(one);
                LockClient client = LockClient.connect(one.url());
                LockClient other = LockClient.connect(one.url());
                LockClient quorum = LockClient.connectQuorum(one.url(), two.url(), three.url())) {
            LockOptions redisson =
                    LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
            for (RLock lock : List.of(
                    client.getLock("keys"),
                    client.getLock("keys-of-redisson", redisson),
                    client.getFencedLock("fenced", redisson),
                    quorum.getLock("keys-of-quorum"))) {
                lock.lock();
                lock.lock();
                lock.unlock();
                lock.isLocked();
                lock.unlock();
                lock.lock();
                lock.forceUnlock();
            }
            try (LockHold hold = client.getLock("keys").acquire()) {
                hold.extend(Duration.ofMinutes(1));
                RFuture<LockHold> waiting = other.getLock("keys").acquireAsync();
                FencedValue value = client.getFencedValue("value");
                value.set("1", hold.fencingToken());
                value.get();
                hold.close();
                waiting.get(20, TimeUnit.SECONDS).close();
            }
            client.diagnose();
            assertDeclared(monitor.everything());
        }
    }

    private static void assertDeclared(List<MonitoredCommand> commands) {
        Set<String> declared = new HashSet<>();
        int checked = 0;
        for (MonitoredCommand command : commands) {
            if (!command.fromScript()) {
                declared.clear();
                if (command.name().startsWith("EVAL")) {
                    int keys = Integer.parseInt(command.words().get(2));
                    declared.addAll(command.words().subList(3, 3 + keys));
                }
            } else if (!KEYLESS.contains(command.name()) && command.words().size() > 1) {
                checked++;
                assertThat(declared)
                        .as("keys of the call of %s", command)
                        .contains(command.words().get(1));
            }
        }
        assertThat(checked).as("calls by scripts").isGreaterThan(50);
    }

    @Test
    void noScriptCallsConfig() throws Exception {
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            for (Path script : scripts.toList()) {
                assertThat(Files.readString(script)).as(script.toString()).doesNotContainIgnoringCase("'config");
            }
        }
    }

    /** A server that is far away gets the largest batches: a key and two arguments for each of a hundred locks. */
    @Test
    @Tag("proof")
    void theLargestBatchOfRenewalsIsShortEnough() {
        int count = 3_000;
        LockOptions locks =
                LockOptions.builder().watchdogLease(Duration.ofSeconds(30)).build();
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                LockClient client = LockClient.connect(
                        proxy.url(), ClientOptions.builder().lockOptions(locks).build())) {
            List<RFuture<LockHold>> taken = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                taken.add(client.getLock("renewed " + i).acquireAsync());
            }
            taken.forEach(hold -> hold.toCompletableFuture().join());
            try (RedisMonitor monitor = RedisMonitor.of(server)) {
                proxy.delayReplies(Duration.ofMillis(400));
                await().atMost(Duration.ofSeconds(60)).until(() -> largestCall(monitor) > 300);
                assertThat(largestCall(monitor)).isLessThanOrEqualTo(MOST_ARGUMENTS);
                proxy.heal();
            }
        }
    }

    private static int largestCall(RedisMonitor monitor) {
        return monitor.commands().stream()
                .filter(command -> command.name().startsWith("EVAL"))
                .mapToInt(command -> command.words().size())
                .max()
                .orElse(0);
    }
}
