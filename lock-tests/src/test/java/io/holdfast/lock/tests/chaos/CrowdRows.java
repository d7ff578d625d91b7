package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.harness.Stored;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Rows 43 and 44: very many waiters, very many watched locks. */
final class CrowdRows {

    private static final int WAITERS = 2_000;
    private static final int IN_FLIGHT = 200;
    private static final double LONGEST_BATCH_MICROS = 2_000;

    private CrowdRows() {}

    /** How many programs share a processor: what the server takes is measured in time that passes. */
    private static double crowding() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return Math.max(1, system.getSystemLoadAverage() / system.getAvailableProcessors());
    }

    static void waiters(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        load.awaitGrants(10);
        load.stop();
        LockClient holder = stage.client(server.url());
        LockClient client = stage.client(server.url());
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            LockHold hold = holder.getLock("mine").acquire();
            List<CompletableFuture<Void>> turns = new ArrayList<>();
            stage.trouble(WAITERS + " waiters on one lock", () -> {
                for (int i = 0; i < WAITERS; i++) {
                    turns.add(client.getLock("mine")
                            .acquireAsync()
                            .thenCompose(LockHold::releaseAsync)
                            .toCompletableFuture());
                }
                stage.await("all wait", () -> client.inspect("mine").localWaiters() == WAITERS);
                stage.await("they subscribe", () -> Stored.subscribers(raw, "mine") == 1);
                raw.command("CONFIG", "RESETSTAT");
                long start = System.nanoTime();
                hold.close();
                CompletableFuture.allOf(turns.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
                long scripts = raw.calls("evalsha");
                stage.expect(scripts < WAITERS * 12 / 10, "NLW", scripts + " scripts for " + WAITERS + " turns");
                stage.bite(
                        WAITERS,
                        "waiters, each granted once: " + scripts + " scripts in all, in " + Stage.millisSince(start)
                                + " ms");
            });
        }
    }

    static void watched(Stage stage) throws Exception {
        int locks = stage.rounds(10_000, 100_000);
        Duration lease = Duration.ofSeconds(stage.rounds(6, 30));
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        LockClient client = stage.client(server.url());
        Recorder recorder = new Recorder();
        LockOptions options =
                LockOptions.builder().watchdogLease(lease).listener(recorder).build();
        List<LockHold> holds = new ArrayList<>();
        stage.fault(locks + " watched locks", () -> {
            for (int begin = 0; begin < locks; begin += IN_FLIGHT) {
                List<RFuture<LockHold>> acquires = new ArrayList<>();
                for (int i = begin; i < begin + IN_FLIGHT; i++) {
                    acquires.add(client.getLock("watched-" + i, options).acquireAsync());
                }
                for (RFuture<LockHold> acquire : acquires) {
                    holds.add(acquire.get(20, TimeUnit.SECONDS));
                }
            }
            raw.command("CONFIG", "RESETSTAT");
            stage.during(lease.multipliedBy(3).dividedBy(2));
            stage.expect(recorder.lost().isEmpty(), "ME", recorder.lost().size() + " leases were missed");
            long stored = raw.integer("DBSIZE");
            stage.expect(stored >= locks, "ME", stored + " keys are stored (expected: >= " + locks + ")");
        });
        long batches = raw.calls("evalsha");
        String stats = String.valueOf(raw.info("commandstats").get("cmdstat_evalsha"));
        double micros = Double.parseDouble(stats.replaceFirst(".*usec_per_call=([0-9.]+).*", "$1"));
        stage.expect(
                micros < LONGEST_BATCH_MICROS * crowding(),
                "LV",
                "a batch of renewals takes the server " + micros + " microseconds");
        stage.bite(
                locks,
                String.format(
                        Locale.ROOT,
                        "locks watched for one and a half leases of %d s: none lost; %,d batches, %.0f us of the server"
                                + " each",
                        lease.toSeconds(),
                        batches,
                        micros));
        for (int begin = 0; begin < locks; begin += IN_FLIGHT) {
            List<RFuture<Void>> releases = new ArrayList<>();
            for (LockHold hold : holds.subList(begin, begin + IN_FLIGHT)) {
                releases.add(hold.releaseAsync());
            }
            for (RFuture<Void> release : releases) {
                release.get(20, TimeUnit.SECONDS);
            }
        }
    }
}
