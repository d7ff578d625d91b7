package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Row 51: what can happen to permits, and to those who wait for them. */
final class PermitRows {

    private static final String NAME = "slots";
    private static final String PERMITS = Stored.key(NAME) + ":permits";
    private static final String LIMIT = Stored.key(NAME) + ":limit";
    private static final String QUEUE = PERMITS + ":queue";
    private static final Duration LEASE = Duration.ofSeconds(2);
    /** A lease, a claim window of a second, and some time for a busy machine. */
    private static final long ONE_LEASE_MILLIS = 5_000;
    /** A claim window of a second, and some time for a busy machine. */
    private static final long ONE_WINDOW_MILLIS = 2_500;
    /** Reconnecting, and some time for a busy machine. */
    private static final long RECONNECT_MILLIS = 4_000;

    private PermitRows() {}

    /** A process that has a permit is killed: it comes back within its lease. */
    static void holderKilled(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        slots.setPermits(2);
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            LockHold kept = slots.acquireHold();
            try (ChildJvm dead = process(server)) {
                dead.ask("permit " + NAME + " " + LEASE.toMillis());
                RFuture<LockHold> next = slots.acquireHoldAsync();
                stage.await("a call waits", () -> raw.integer("ZCARD", QUEUE) == 1);
                stage.trouble("a process with a permit is killed", () -> {
                    dead.close();
                    long killed = System.nanoTime();
                    next.get(ONE_LEASE_MILLIS, TimeUnit.MILLISECONDS).close();
                    stage.bite(
                            1, "process killed: its permit was another's after " + Stage.millisSince(killed) + " ms");
                });
            }
            stage.expect(kept.state() == HoldState.HELD, "ME", "another permit went with it");
            kept.close();
        }
        end(stage, raw, load);
    }

    /** A process that waits for a permit is killed: its turn costs the others a claim window. */
    static void waiterKilled(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        slots.setPermits(1);
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            LockHold hold = slots.acquireHold();
            try (ChildJvm dead = queued(stage, raw, server)) {
                RFuture<LockHold> next = slots.acquireHoldAsync();
                stage.await("the next waits", () -> raw.integer("ZCARD", QUEUE) == 2 && subscribers(raw) == 2);
                stage.trouble("a waiting process is killed", () -> {
                    dead.close();
                    long freed = System.nanoTime();
                    hold.close();
                    next.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS).close();
                    stage.bite(
                            1,
                            "waiter killed: the next was granted a permit after " + Stage.millisSince(freed) + " ms");
                });
            }
        }
        end(stage, raw, load);
    }

    /** A process stands still when its turn comes, and goes on when that is over: it has to stand in the queue again. */
    static void frozen(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        slots.setPermits(1);
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            LockHold hold = slots.acquireHold();
            try (ChildJvm frozen = queued(stage, raw, server)) {
                RFuture<LockHold> next = slots.acquireHoldAsync();
                stage.await("the next waits", () -> raw.integer("ZCARD", QUEUE) == 2 && subscribers(raw) == 2);
                stage.trouble("a process stands still at its turn", () -> {
                    frozen.pause();
                    long freed = System.nanoTime();
                    hold.close();
                    LockHold granted = next.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS);
                    long after = Stage.millisSince(freed);
                    frozen.resume();
                    stage.await("it stands in the queue again", () -> raw.integer("ZCARD", QUEUE) == 1);
                    stage.expect(raw.integer("ZCARD", PERMITS) == 1, "ME", "the late claim took a second permit");
                    granted.close();
                    long late = Long.parseLong(frozen.hear("queue "));
                    stage.expect(late > granted.fencingToken(), "FM", "token " + late + " after an earlier one");
                    frozen.ask("release");
                    stage.bite(1, "process stopped at its turn: the next was granted a permit after " + after + " ms");
                });
            }
        }
        end(stage, raw, load);
    }

    /** Subscribed connections are killed while calls wait, and permits are released meanwhile. */
    static void unheard(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        RPermitExpirableSemaphore others = slots(stage.client(server.url()));
        slots.setPermits(2);
        for (int round = 0; round < stage.rounds(2, 6); round++) {
            load.awaitGrants(3);
            List<LockHold> held = slots.tryAcquireHolds(2, Duration.ofSeconds(5), LEASE);
            RFuture<LockHold> first = others.acquireHoldAsync();
            stage.await("a call waits", () -> raw.integer("ZCARD", QUEUE) == 1 && subscribers(raw) == 1);
            RFuture<LockHold> second = others.acquireHoldAsync();
            stage.await("two calls wait", () -> raw.integer("ZCARD", QUEUE) == 2);
            stage.trouble("messages are lost", () -> {
                long killed = raw.integer("CLIENT", "KILL", "TYPE", "pubsub");
                held.forEach(LockHold::close);
                long freed = System.nanoTime();
                first.get(RECONNECT_MILLIS, TimeUnit.MILLISECONDS).close();
                second.get(RECONNECT_MILLIS, TimeUnit.MILLISECONDS).close();
                stage.bite(killed, "subscribed connections killed: granted after " + Stage.millisSince(freed) + " ms");
            });
        }
        end(stage, raw, load);
    }

    /** The server is restarted without its data: permits are lost, there is no limit, and those who wait stand there again. */
    static void forgotten(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        RPermitExpirableSemaphore others = slots(stage.client(server.url()));
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            slots.setPermits(1);
            LockHold hold = slots.acquireHold();
            long token = hold.fencingToken();
            RFuture<LockHold> next = others.acquireHoldAsync();
            try (RawRedis before = server.connect()) {
                stage.await("a call waits", () -> before.integer("ZCARD", QUEUE) == 1);
            }
            long since = System.nanoTime();
            stage.fault("kill -9, restart without data", () -> {
                server.kill();
                server.restart();
            });
            stage.forgot(since, "job");
            stage.await("the loss is told", () -> hold.state() == HoldState.LOST);
            stage.expect(!next.toCompletableFuture().isDone(), "ME", "a call was granted a permit of no limit");
            stage.await("the limit is set anew", () -> setsLimit(slots));
            LockHold granted = next.get(2 * ONE_LEASE_MILLIS, TimeUnit.MILLISECONDS);
            stage.expect(granted.fencingToken() > token, "FM", "a token is not greater than one before");
            granted.close();
            stage.bite(1, "kill -9: the loss was told, and who waited was granted a permit of the new limit");
        }
        try (RawRedis raw = server.connect()) {
            end(stage, raw, load);
        }
    }

    /** The server has just started, and may take its time. */
    private static boolean setsLimit(RPermitExpirableSemaphore slots) {
        try {
            slots.setPermits(1);
            return true;
        } catch (LockException late) {
            return false;
        }
    }

    /** With memory full no call can come to wait; what is held is renewed and released, and who waits can leave. */
    static void memoryFull(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        RPermitExpirableSemaphore others = slots(stage.client(server.url()));
        slots.setPermits(2);
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(5);
            LockHold one = slots.acquireHold();
            LockHold two = slots.acquireHold();
            RFuture<LockHold> waits = others.acquireHoldAsync();
            stage.await("a call waits", () -> raw.integer("ZCARD", QUEUE) == 1);
            stage.fault("memory full, noeviction", () -> {
                raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
                raw.command("CONFIG", "SET", "maxmemory", "1");
                stage.expect(reasonOf(slots) == FailureReason.OOM, "ERR", "a call joined the queue");
                stage.during(LEASE.plusMillis(500));
                stage.expect(one.state() == HoldState.HELD, "ME", "a permit was not renewed");
                waits.toCompletableFuture().cancel(true);
                stage.await("the call leaves", () -> raw.integer("EXISTS", QUEUE) == 0);
                two.close();
                stage.expect(raw.integer("ZCARD", PERMITS) == 1, "HC", "a permit was not released");
                one.close();
                stage.expect(raw.integer("EXISTS", PERMITS) == 0, "HC", "the last permit was not released");
                raw.command("CONFIG", "SET", "maxmemory", "0");
            });
        }
        stage.bite(AnswerRows.errors(raw, "OOM"), "times OOM; permits were renewed and released, and a waiter left");
        end(stage, raw, load);
    }

    private static @Nullable FailureReason reasonOf(RPermitExpirableSemaphore slots) throws InterruptedException {
        try {
            slots.tryAcquireHold(Duration.ofMillis(100)).ifPresent(LockHold::close);
            return null;
        } catch (LockException refused) {
            return refused.reason();
        }
    }

    /** Scripts are forgotten before each step. */
    static void scriptsForgotten(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        RPermitExpirableSemaphore slots = slots(stage.client(server.url()));
        RPermitExpirableSemaphore others = slots(stage.client(server.url()));
        for (int round = 0; round < stage.rounds(2, 8); round++) {
            load.awaitGrants(3);
            stage.trouble("SCRIPT FLUSH", () -> {
                raw.command("SCRIPT", "FLUSH");
                slots.setPermits(1);
                raw.command("SCRIPT", "FLUSH");
                LockHold hold = slots.acquireHold();
                raw.command("SCRIPT", "FLUSH");
                RFuture<LockHold> next = others.acquireHoldAsync();
                stage.await("a call waits", () -> raw.integer("ZCARD", QUEUE) == 1);
                raw.command("SCRIPT", "FLUSH");
                stage.during(LEASE);
                stage.expect(hold.state() == HoldState.HELD, "ME", "a permit was not renewed");
                raw.command("SCRIPT", "FLUSH");
                hold.close();
                next.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS).close();
            });
        }
        stage.bite(AnswerRows.errors(raw, "NOSCRIPT"), "times NOSCRIPT; permits were renewed, and places kept");
        end(stage, raw, load);
    }

    private static RPermitExpirableSemaphore slots(LockClient client) {
        return client.getPermitExpirableSemaphore(NAME, Clients.watchdog(LEASE));
    }

    private static ChildJvm process(RedisServer server) throws Exception {
        ChildJvm child = ChildJvm.start(HolderProgram.class, server.url());
        child.hear("ready");
        return child;
    }

    /** A process whose call has its place in the queue, and hears of releases. */
    private static ChildJvm queued(Stage stage, RawRedis raw, RedisServer server) throws Exception {
        ChildJvm child = process(server);
        child.say("queue permit " + NAME);
        stage.await("the process waits", () -> raw.integer("ZCARD", QUEUE) == 1 && subscribers(raw) == 1);
        return child;
    }

    private static long subscribers(RawRedis raw) {
        return Long.parseLong(raw.list("PUBSUB", "NUMSUB", PERMITS + ":free").get(1));
    }

    /** The limit has no end of its own: it is configuration. */
    private static void end(Stage stage, RawRedis raw, PlayedLoad load) throws Exception {
        load.awaitGrants(10);
        stage.await("permits are given back", () -> raw.integer("EXISTS", PERMITS) == 0);
        raw.command("DEL", LIMIT);
    }
}
