package io.holdfast.lock.tests.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Diagnoses at bad moments and in bad places: each ends, none is in the way of locks, and none leaves a connection. */
@Tag("proof")
class DiagnosisUnderStressTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Test
    void aCallbackMayAskAgain() throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url())) {
            List<Finding> second = client.diagnoseAsync()
                    .thenApply(first -> client.diagnose())
                    .toCompletableFuture()
                    .get(40, TimeUnit.SECONDS);
            assertThat(problems(second)).isEmpty();
        }
    }

    /** The only thread of the user's executor waits for the diagnosis, which no task of the executor may hold up. */
    @Test
    void theOnlyThreadOfTheUsersExecutorMayAsk() throws Exception {
        ExecutorService single = Executors.newSingleThreadExecutor();
        ClientOptions options = ClientOptions.builder().callbackExecutor(single).build();
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url(), options)) {
            List<Finding> findings = single.submit(client::diagnose).get(40, TimeUnit.SECONDS);
            assertThat(problems(findings)).isEmpty();
        } finally {
            single.shutdownNow();
        }
    }

    @Test
    void manyAtOnceAreAnsweredAndLeaveNoConnection() throws Exception {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(
                        server.url(),
                        ClientOptions.builder().connectTimeout(PATIENCE).build());
                LockHold hold = client.getLock("held meanwhile").acquire()) {
            List<RFuture<List<Finding>>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(client.diagnoseAsync());
            }
            all.get(0).cancel(true);
            for (RFuture<List<Finding>> one : all.subList(1, all.size())) {
                assertThat(problems(one.toCompletableFuture().join())).isEmpty();
            }
            hold.ensure(Duration.ofSeconds(1));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(OurConnections.at(server)).hasSize(1));
        }
    }

    @Test
    void aServerThatTakesNoMoreClientsHasTooMany() {
        try (RedisServer server =
                        RedisServer.builder().option("maxclients", "12").start();
                LockClient client = LockClient.connect(server.url())) {
            List<RawRedis> crowd = new ArrayList<>();
            try {
                for (int i = 0; i < 11; i++) {
                    crowd.add(server.connect());
                }
                Finding finding = client.diagnose().get(0);
                assertThat(finding.code()).isEqualTo(Code.NEAR_MAX_CLIENTS);
                assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                assertThat(finding.remedy()).contains("maxclients");
            } finally {
                crowd.forEach(RawRedis::close);
            }
        }
    }

    @Test
    void aServerThatIsBusyWithAScriptSaysSo() {
        try (RedisServer server =
                        RedisServer.builder().option("lua-time-limit", "50").start();
                LockClient client = LockClient.connect(server.url());
                RawRedis other = server.connect();
                RawRedis admin = server.connect()) {
            other.send("EVAL", "while true do end", "0");
            try {
                await().atMost(PATIENCE)
                        .untilAsserted(
                                () -> assertThat(client.diagnose()).first().satisfies(finding -> {
                                    assertThat(finding.code()).isEqualTo(Code.UNREACHABLE);
                                    assertThat(finding.seen()).startsWith("BUSY: ");
                                }));
            } finally {
                admin.command("SCRIPT", "KILL");
            }
        }
    }

    /** The client is told when it closes, not when the time to answer is over. */
    @Test
    void closingTheClientEndsADiagnosis() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server)) {
            LockClient client = LockClient.connect(
                    proxy.url(),
                    ClientOptions.builder()
                            .connectTimeout(Duration.ofMinutes(5))
                            .build());
            proxy.onAccept(link -> link.swallowReplies());
            RFuture<List<Finding>> underWay = client.diagnoseAsync();
            proxy.awaitConnections(2);
            client.close();
            assertThatThrownBy(() -> underWay.toCompletableFuture()
                            .orTimeout(40, TimeUnit.SECONDS)
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(LockClientClosedException.class);
        }
    }

    @Test
    void locksGoOnWhileADiagnosisHangs() {
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(server);
                LockClient client = LockClient.connect(
                        proxy.url(),
                        ClientOptions.builder()
                                .connectTimeout(Duration.ofMinutes(5))
                                .build())) {
            proxy.onAccept(link -> link.swallowReplies());
            RFuture<List<Finding>> underWay = client.diagnoseAsync();
            proxy.awaitConnections(2);
            for (int i = 0; i < 100; i++) {
                client.getLock("busy").lock();
                client.getLock("busy").unlock();
            }
            assertThat(underWay.toCompletableFuture()).isNotDone();
        }
    }

    /** Each refusal would count in the server's statistics, and so would each question after a script that is not there. */
    @Test
    void aReconnectAsksTheSameProcessNothingThatCounts() {
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.connect(server.url());
                RawRedis admin = server.connect()) {
            assertThat(admin.info("errorstats")).containsOnlyKeys("errorstat_NOSCRIPT");
            for (int i = 0; i < 3; i++) {
                List<String> before = ids(admin);
                admin.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(ids(admin)).hasSize(1).doesNotContainAnyElementsOf(before));
            }
            assertThat(admin.info("errorstats")).containsOnly(Map.entry("errorstat_NOSCRIPT", "count=1"));
            assertThat(admin.integer("SLOWLOG", "LEN")).isZero();
            assertThat(client.isClosed()).isFalse();
        }
    }

    private static List<String> ids(RawRedis admin) {
        return admin.clients().stream()
                .filter(client -> client.getOrDefault("name", "").startsWith("holdfast"))
                .map(client -> client.get("id"))
                .toList();
    }

    private static List<Finding> problems(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Severity.PROBLEM)
                .toList();
    }
}
