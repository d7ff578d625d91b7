package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.history.Outcome;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rows 1 to 5: the server dies, or stands still. */
final class ServerRows {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** A third of the lease, a new connection, and some time for a busy machine. */
    private static final Duration RENEWAL_INTERVAL = LEASE.dividedBy(3).plusMillis(1_500);

    private static final Duration SOON = Duration.ofSeconds(5);

    private ServerRows() {}

    static void crash(Stage stage) throws Exception {
        RedisServer server = stage.server();
        dies(stage, server, () -> () -> {});
    }

    static void powerLoss(Stage stage) throws Exception {
        RedisServer server = stage.server(builder -> builder.aof(true));
        dies(stage, server, () -> {
            long whole = server.aofSize();
            return () -> server.cutAof((int) (server.aofSize() - whole));
        });
    }

    /**
     * A hold that the server has heard of, and forgets.
     *
     * @param beginning asked before it is taken, for what is done to the dead server
     */
    private static void dies(Stage stage, RedisServer server, Supplier<Runnable> beginning) throws Exception {
        PlayedLoad load = stage.load(server.url());
        Actor owner = stage.actor("owner", stage.client(server.url()));
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(15);
            Runnable damage = beginning.get();
            Actor.Held held = granted(owner, "held");
            long before = System.nanoTime();
            stage.fault("kill -9, restart without the last writes", () -> {
                server.kill();
                stage.during(300);
                damage.run();
                server.restart();
            });
            long back = System.nanoTime();
            stage.forgot(before, "job", "held");
            stage.await("the loss is told", RENEWAL_INTERVAL, () -> held.hold().state() == HoldState.LOST);
            stage.bite(1, "kill -9: the loss was told " + Stage.millisSince(back) + " ms after the server was back");
            stage.expect(held.release() == Outcome.LOST, "ERR", "a lost hold was released");
            Actor.Held next = granted(owner, "held");
            stage.expect(next.token > held.token, "FM", "token " + next.token + " after " + held.token);
            next.release();
        }
        load.awaitGrants(20);
    }

    static void crashWithFile(Stage stage) throws Exception {
        RedisServer server = stage.server(builder -> builder.aof(true));
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(Duration.ofSeconds(6)));
        Actor owner = stage.actor("owner", stage.client(server.url()), Clients.watchdog(Duration.ofSeconds(6)));
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(15);
            Actor.Held held = granted(owner, "held");
            stage.fault("kill -9, restart", () -> {
                server.kill();
                stage.during(300);
                server.restart();
            });
            try (RawRedis raw = server.connect()) {
                String token = raw.text("HGET", Stored.key("held"), "token");
                stage.expect(Long.toString(held.token).equals(token), "FM", "the stored token is " + token);
                long left = Stored.timeToLiveMillis(raw, "held");
                stage.expect(left > 0, "ME", "time to live is " + left);
                stage.bite(1, "kill -9: token " + token + " was still there, and " + left + " ms of its lease");
            }
            load.awaitGrants(15);
            stage.expect(held.look(), "ME", "the hold did not survive");
            held.release();
        }
    }

    /** Somebody who reads, is slow, and writes without looking: what tokens are for. */
    static void frozen(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(server.url());
        LockClient client = stage.client(server.url());
        Actor sleeper = stage.actor("sleeper", client);
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(15);
            Actor.Held held = granted(sleeper, "job");
            Counters.Reading reading = stage.troupe.counters().read(stage.row.name() + "/job", held.token);
            long stopped = System.nanoTime();
            stage.fault("SIGSTOP", () -> {
                server.pause();
                stage.await(
                        "the loss is told",
                        LEASE.plusMillis(1_500),
                        () -> held.hold().state() == HoldState.LOST);
                stage.bite(1, "SIGSTOP: the loss was told after " + Stage.millisSince(stopped) + " ms of silence");
                stage.during(LEASE);
                server.resume();
            });
            load.awaitGrants(10);
            stage.troupe.counters().write(reading, "sleeper", stage.journal);
            stage.expect(held.release() == Outcome.LOST, "ERR", "a lost hold was released");
        }
        load.awaitGrants(10);
        load.stop();
        InjectorProof.require(stage);
    }

    static void frozenWithAcquireInFlight(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(Duration.ofSeconds(6)));
        Actor caller = stage.actor("caller", stage.client(server.url()));
        for (int round = 0; round < stage.rounds(2, 6); round++) {
            load.awaitGrants(8);
            stage.fault("SIGSTOP", () -> {
                server.pause();
                Actor.Held held = caller.tryLock("mine", Duration.ofMillis(100));
                stage.expect(held == null, "ME", "granted by a server that stands still");
                stage.expect(
                        caller.lastFailure() instanceof LockOutcomeUnknownException,
                        "ERR",
                        "expected an unknown outcome: " + caller.lastFailure());
                server.resume();
            });
            long resumed = System.nanoTime();
            Actor.Held held = caller.tryLock("mine", SOON);
            stage.expect(held != null, "HC", "the retry was not granted");
            if (held != null) {
                try (RawRedis raw = server.connect()) {
                    int count = Stored.holdCount(raw, "mine");
                    stage.expect(count == 1, "HC", "counted " + count + " times (expected: 1)");
                }
                stage.bite(
                        1,
                        "acquire in flight at SIGSTOP: unknown, retried, counted once after "
                                + Stage.millisSince(resumed) + " ms");
                held.release();
            }
        }
        load.awaitGrants(8);
    }

    /** A hold of its own that has to be granted. */
    static Actor.Held granted(Actor actor, String lock) {
        Actor.@Nullable Held held = actor.tryAcquire(lock, Duration.ofSeconds(15));
        if (held == null) {
            throw new AssertionError("'" + lock + "' was not granted: " + actor.lastFailure());
        }
        return held;
    }
}
