package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Rows 35 and 36: trouble in the middle of a full pipeline. Each reply must still reach its own request. */
final class PipelineRows {

    private static final int REQUESTS = 500;
    private static final Duration PATIENT = Duration.ofSeconds(2);

    private PipelineRows() {}

    static void commandConnectionKilled(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(Duration.ofSeconds(6)));
        LockClient client = stage.client(proxy.url(), Clients.quick().commandTimeout(PATIENT));
        for (int round = 0; round < stage.rounds(2, 6); round++) {
            load.awaitGrants(10);
            long killed = kill(raw, "chaos-jvm");
            stage.bite(killed, "command connections of the load killed");
            proxy.delayReplies(Duration.ofMillis(20));
            List<RFuture<LockHold>> acquires = acquires(client, "pipeline-" + round + "-");
            List<LockHold> holds = new ArrayList<>();
            stage.trouble("CLIENT KILL in mid-pipeline", () -> {
                stage.await("the pipeline is at work", () -> raw.integer("DBSIZE") > REQUESTS / 10);
                long own = kill(raw, "chaos-own");
                for (RFuture<LockHold> acquire : acquires) {
                    holds.add(acquire.get(15, TimeUnit.SECONDS));
                }
                stage.bite(
                        own, "connection killed with " + REQUESTS + " acquires in flight: all granted, each its own");
            });
            expectOwn(stage, holds, raw);
            release(holds);
            proxy.heal();
        }
        load.awaitGrants(10);
    }

    /** Kills the connections of clients with such names that have called scripts. */
    private static long kill(RawRedis raw, String name) {
        long killed = 0;
        for (Map<String, String> connection : raw.clients()) {
            if (connection.getOrDefault("name", "").startsWith(name) && "evalsha".equals(connection.get("cmd"))) {
                killed += raw.integer("CLIENT", "KILL", "ID", connection.get("id"));
            }
        }
        return killed;
    }

    static void givenUp(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        LockClient client = stage.client(
                proxy.url(), Clients.quick().commandTimeout(PATIENT).heartbeat(Duration.ofSeconds(10)));
        client.getLock("scripts").acquire().close();
        for (int round = 0; round < stage.rounds(1, 5); round++) {
            load.awaitGrants(10);
            String prefix = "given-up-" + round + "-";
            List<RFuture<LockHold>> acquires = new ArrayList<>();
            List<Background<Boolean>> threads = new ArrayList<>();
            stage.trouble("cancel, time-out, interrupt", () -> {
                proxy.holdReplies();
                acquires.addAll(acquires(client, prefix));
                for (int i = 0; i < 20; i++) {
                    String name = prefix + "thread-" + i;
                    threads.add(Background.call(() -> client.getLock(name).tryLock(10, TimeUnit.MILLISECONDS)));
                }
                stage.await("all are applied", () -> raw.integer("DBSIZE") >= REQUESTS);
                for (int i = 0; i < REQUESTS; i += 3) {
                    acquires.get(i).cancel(true);
                    acquires.get(i + 1).toCompletableFuture().orTimeout(1, TimeUnit.MILLISECONDS);
                }
                for (int i = 0; i < threads.size(); i += 2) {
                    threads.get(i).interrupt();
                }
                for (Background<Boolean> thread : threads) {
                    stage.await("a thread ends", thread::isDone);
                }
                proxy.heal();
            });
            List<LockHold> holds = new ArrayList<>();
            int abandoned = 0;
            for (RFuture<LockHold> acquire : acquires) {
                try {
                    holds.add(acquire.get(10, TimeUnit.SECONDS));
                } catch (CancellationException | ExecutionException givenUp) {
                    abandoned++;
                }
            }
            stage.bite(
                    abandoned,
                    "of " + REQUESTS + " acquires given up while their replies were held; " + holds.size()
                            + " granted, each its own");
            expectOwn(stage, holds, raw);
            release(holds);
        }
        load.awaitGrants(10);
    }

    private static List<RFuture<LockHold>> acquires(LockClient client, String prefix) {
        List<RFuture<LockHold>> acquires = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            acquires.add(client.getLock(prefix + i).acquireAsync());
        }
        return acquires;
    }

    private static void expectOwn(Stage stage, List<LockHold> holds, RawRedis raw) {
        int wrong = 0;
        for (LockHold hold : holds) {
            String token = raw.text("HGET", Stored.key(hold.name()), "token");
            wrong +=
                    Long.toString(hold.fencingToken()).equals(token) && Stored.holdCount(raw, hold.name()) == 1 ? 0 : 1;
        }
        stage.expect(wrong == 0, "RM", wrong + " holds of " + holds.size() + " are not what the server stores");
    }

    private static void release(List<LockHold> holds) throws Exception {
        List<RFuture<Void>> releases = new ArrayList<>();
        for (LockHold hold : holds) {
            releases.add(hold.releaseAsync());
        }
        for (RFuture<Void> release : releases) {
            release.get(10, TimeUnit.SECONDS);
        }
    }
}
