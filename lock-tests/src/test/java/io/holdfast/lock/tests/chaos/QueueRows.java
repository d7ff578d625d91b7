package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Row 49: what can happen to those who wait in the server's queue. */
final class QueueRows {

    /** A claim window of a second, and some time for a busy machine. */
    private static final long ONE_WINDOW_MILLIS = 2_000;

    private static final Duration LEASE = Duration.ofSeconds(2);
    /** The poll with its jitter, and some time for a busy machine. */
    private static final long POLL_MILLIS = 7_500;

    private static final String QUEUE = Stored.key("mine") + ":queue";

    private QueueRows() {}

    /** A process is killed while it waits: its turn costs the others a claim window. */
    static void killed(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        LockClient holder = stage.client(server.url());
        LockClient waiting = stage.client(server.url());
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            LockHold hold = holder.getFairLock("mine").acquire();
            try (ChildJvm dead = queued(stage, raw, server)) {
                RFuture<LockHold> next = behind(stage, raw, waiting);
                stage.trouble("a waiting process is killed", () -> {
                    dead.close();
                    long freed = System.nanoTime();
                    hold.close();
                    next.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS).close();
                    stage.bite(
                            1,
                            "waiter killed: the next was granted the lock after " + Stage.millisSince(freed) + " ms");
                });
            }
        }
        load.awaitGrants(10);
    }

    /** A process stands still when its turn comes, and goes on when that is over: it has to stand in the queue again. */
    static void frozen(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        LockClient holder = stage.client(server.url());
        LockClient waiting = stage.client(server.url());
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            LockHold hold = holder.getFairLock("mine").acquire();
            try (ChildJvm frozen = queued(stage, raw, server)) {
                RFuture<LockHold> next = behind(stage, raw, waiting);
                stage.trouble("a process stands still at its turn", () -> {
                    frozen.pause();
                    long freed = System.nanoTime();
                    hold.close();
                    LockHold granted = next.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS);
                    long after = Stage.millisSince(freed);
                    long token = granted.fencingToken();
                    frozen.resume();
                    stage.await("it stands in the queue again", () -> raw.integer("ZCARD", QUEUE) == 1);
                    stage.expect(granted.state() == HoldState.HELD, "ME", "the late claim took a held lock");
                    granted.close();
                    long late = Long.parseLong(frozen.hear("queue "));
                    stage.expect(late > token, "FM", "token " + late + " after " + token);
                    frozen.ask("release");
                    stage.bite(1, "process stopped at its turn: the next was granted the lock after " + after + " ms");
                });
            }
        }
        load.awaitGrants(10);
    }

    /** With memory full nobody can come to wait; those who hold, read or wait can renew, release and leave. */
    static void memoryFull(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        LockClient client = stage.client(server.url());
        LockClient other = stage.client(server.url());
        RLock reading = client.getReadWriteLock("mine", Clients.watchdog(LEASE)).readLock();
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            load.awaitGrants(10);
            LockHold one = reading.acquire();
            LockHold two = reading.acquire();
            RFuture<LockHold> writer =
                    other.getReadWriteLock("mine").writeLock().acquireAsync();
            stage.await("the writer waits", () -> raw.integer("ZCARD", QUEUE) == 1);
            stage.fault("memory full, noeviction", () -> {
                raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
                raw.command("CONFIG", "SET", "maxmemory", "1");
                stage.expect(
                        reasonOf(client.getFairLock("mine")) == FailureReason.OOM, "ERR", "a call joined the queue");
                stage.expect(
                        reasonOf(client.getReadWriteLock("another").readLock()) == FailureReason.OOM,
                        "ERR",
                        "a reader was let in");
                stage.during(LEASE.plusMillis(500));
                stage.expect(one.state() == HoldState.HELD, "ME", "a reader was not renewed");
                two.close();
                stage.expect(
                        raw.integer("ZCARD", Stored.key("mine") + ":readers") == 1, "HC", "a reader was not released");
                writer.toCompletableFuture().cancel(true);
                stage.await("the writer leaves", () -> raw.integer("EXISTS", QUEUE) == 0);
                one.close();
                stage.expect(!reading.isLocked(), "HC", "the last reader was not released");
                raw.command("CONFIG", "SET", "maxmemory", "0");
            });
        }
        stage.bite(AnswerRows.errors(raw, "OOM"), "times OOM; readers were renewed and released, and a waiter left");
        load.awaitGrants(10);
    }

    private static @Nullable FailureReason reasonOf(RLock lock) {
        try {
            if (lock.tryLock(100, TimeUnit.MILLISECONDS)) {
                lock.unlock();
            }
            return null;
        } catch (LockException refused) {
            return refused.reason();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    /** Each half is ended by force, and who waits for the other comes in. */
    static void forced(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        LockClient client = stage.client(server.url());
        LockClient other = stage.client(server.url());
        RLock reading = client.getReadWriteLock("mine").readLock();
        RLock writing = other.getReadWriteLock("mine").writeLock();
        int forced = stage.rounds(3, 10);
        for (int round = 0; round < forced; round++) {
            load.awaitGrants(3);
            LockHold reader = reading.acquire();
            RFuture<LockHold> writer = writing.acquireAsync();
            stage.await("the writer waits", () -> raw.integer("ZCARD", QUEUE) == 1);
            stage.trouble("force", () -> {
                stage.expect(reading.forceUnlock(), "ERR", "no reader was ended");
                LockHold written = writer.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS);
                stage.expect(reader.state() == HoldState.LOST, "ERR", "the reader was not told");
                RFuture<LockHold> next = reading.acquireAsync();
                stage.await("a reader waits", () -> raw.integer("ZCARD", QUEUE) == 1);
                stage.expect(writing.forceUnlock(), "ERR", "no writer was ended");
                next.get(ONE_WINDOW_MILLIS, TimeUnit.MILLISECONDS).close();
                stage.expect(written.state() == HoldState.LOST, "ERR", "the writer was not told");
            });
        }
        stage.bite(2L * forced, "halves ended by force: those who waited came in, and the owners were told");
        load.awaitGrants(10);
    }

    /** A user that may neither publish nor subscribe: those who wait find out by looking. */
    static void noChannels(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "resetchannels");
        String user = server.url().replace("redis://", "redis://app:secret@");
        PlayedLoad load = stage.load(stage.plan(user).waiting(Duration.ofSeconds(12)));
        LockClient holder = stage.client(user);
        LockClient waiting = stage.client(user);
        for (int round = 0; round < stage.rounds(1, 3); round++) {
            LockHold hold = holder.getFairLock("mine").acquire();
            RFuture<LockHold> next = waiting.getFairLock("mine").acquireAsync();
            stage.await("the call waits", () -> raw.integer("ZCARD", QUEUE) == 1);
            stage.trouble("no channel is allowed", () -> {
                long freed = System.nanoTime();
                hold.close();
                next.get(POLL_MILLIS, TimeUnit.MILLISECONDS).close();
                stage.bite(1, "release without a message: found by looking after " + Stage.millisSince(freed) + " ms");
            });
        }
        load.awaitGrants(10);
    }

    /** A process whose call has its place in the queue. */
    private static ChildJvm queued(Stage stage, RawRedis raw, RedisServer server) throws Exception {
        ChildJvm child = ChildJvm.start(HolderProgram.class, server.url());
        child.hear("ready");
        child.say("queue fair mine");
        stage.await("the process waits", () -> raw.integer("ZCARD", QUEUE) == 1);
        return child;
    }

    /** A call behind that of a process, when both hear of releases. */
    private static RFuture<LockHold> behind(Stage stage, RawRedis raw, LockClient client) throws Exception {
        RFuture<LockHold> call = client.getFairLock("mine").acquireAsync();
        stage.await("the next waits", () -> raw.integer("ZCARD", QUEUE) == 2 && Stored.subscribers(raw, "mine") == 2);
        return call;
    }
}
