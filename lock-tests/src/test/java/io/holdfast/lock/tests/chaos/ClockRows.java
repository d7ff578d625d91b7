package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.ShiftedClock;
import io.holdfast.lock.tests.harness.ShiftedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Rows 38 and 39: wall clocks are wrong, or step. The monotonic clock goes on, as on a machine whose time is set. */
final class ClockRows {

    private static final long STEP_SECONDS = 120;

    private ClockRows() {}

    static void clientsClock(Stage stage) throws Exception {
        RedisServer server = stage.server();
        Path directory = directory(stage);
        ShiftedClock clock = ShiftedClock.in(directory);
        PlayedLoad load = stage.load(stage.plan(server.url()));
        try (Worker shifted = new Worker(clock.environment())) {
            LoadPlan plan = stage.plan(server.url()).by("jvm-shifted", stage.random.nextLong());
            shifted.open(stage.troupe.countersUrl(), plan, stage.journal);
            shifted.start();
            for (int round = 0; round < stage.rounds(2, 6); round++) {
                load.awaitGrants(15);
                Duration ahead = Duration.ofSeconds(round % 2 == 0 ? STEP_SECONDS : -STEP_SECONDS);
                stage.trouble("client's clock " + ahead.toSeconds() + " s", () -> {
                    clock.set(ahead);
                    long jumped = shifted.clockMillis() - System.currentTimeMillis();
                    stage.bite(
                            Math.abs(jumped) > 60_000 ? 1 : 0, "jump of a client's clock, by " + jumped / 1_000 + " s");
                    int before = stage.journal.grants();
                    stage.during(1_500);
                    stage.expect(stage.journal.grants() > before, "LV", "nothing was granted after the jump");
                });
            }
            shifted.stop();
            shifted.shut();
        }
    }

    static void serversClock(Stage stage) throws Exception {
        RedisServer like = stage.server();
        Path directory = directory(stage);
        try (ShiftedServer server = ShiftedServer.like(like, directory, Duration.ZERO)) {
            // As for locks that are evicted: a lease that ends early is not known while the lock is handed on without
            // asking.
            PlayedLoad load = stage.load(stage.plan(server.url()).with(Peer.ASKING));
            Actor owner = stage.actor("owner", stage.client(server.url()));
            Actor successor = stage.actor("successor", stage.client(server.url()));
            for (long seconds : stage.brief
                    ? List.of(STEP_SECONDS, -STEP_SECONDS)
                    : List.of(STEP_SECONDS, -STEP_SECONDS, STEP_SECONDS / 2, 0L)) {
                load.awaitGrants(15);
                Actor.Held held = ServerRows.granted(owner, "held");
                long before = System.nanoTime();
                stage.fault("server's clock to " + seconds + " s", () -> {
                    server.set(Duration.ofSeconds(seconds));
                    Duration off = server.time().minusMillis(System.currentTimeMillis());
                    stage.bite(
                            Math.abs(off.toSeconds() - seconds) < 5 ? 1 : 0,
                            "step of the server's clock, to " + off.toSeconds() + " s");
                    stage.during(300);
                });
                // Forward, leases end early; back, what is stored lasts longer than a lease.
                stage.forgot(before, "job", "held", "next");
                held.release();
                Actor.Held next = ServerRows.granted(successor, "held");
                stage.expect(next.token > held.token, "FM", "token " + next.token + " after " + held.token);
                next.release();
            }
            load.awaitGrants(20);
            load.stop();
            load.shut();
            stage.closeClients();
        }
    }

    /** Emptied with the row. */
    static Path directory(Stage stage) throws Exception {
        Path directory = Files.createTempDirectory("holdfast-chaos");
        stage.closingLast(() -> {
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        });
        return directory;
    }
}
