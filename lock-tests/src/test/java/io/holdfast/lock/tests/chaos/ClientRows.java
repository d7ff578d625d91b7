package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.ChildJvm;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.HolderProgram;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Rows 37, 41, 42 and 46: the client's own process stands still, dies in part, closes, or waits where nobody may. */
final class ClientRows {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(2_500);

    /** A pause that meets nobody in the middle of an update has no effect; so there are more, up to so many. */
    private static final int MOST_PAUSES = 10;

    private ClientRows() {}

    /** A process of the load is stopped in the middle of its work, and another that is asked for its state first. */
    static void paused(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(
                stage.plan(server.url()).watchdog(LEASE),
                stage.plan(server.url()).watchdog(LEASE).holding(400));
        int rounds = stage.rounds(2, 5);
        for (int round = 0; round < rounds || (round < MOST_PAUSES && InjectorProof.lost(stage) <= 0); round++) {
            load.awaitGrants(12);
            Worker worker = load.worker(1);
            awaitHolding(stage, "jvm-2");
            stage.freeze("JVM stopped", () -> {
                worker.pause();
                stage.during(PAUSE);
                worker.resume();
            });
        }
        load.awaitGrants(12);
        stage.trouble("another JVM stopped", () -> firstLook(stage, server));
        load.stop();
        InjectorProof.require(stage);
    }

    /** Waits until a lane of this process has just been granted a lock. */
    private static void awaitHolding(Stage stage, String jvm) throws InterruptedException {
        long since = System.nanoTime();
        stage.await("a lane of " + jvm + " holds the lock", () -> stage.journal.all(Seen.Lasting.class).stream()
                .anyMatch(look -> look.nanos() > since && look.lane().startsWith(jvm)));
    }

    private static void firstLook(Stage stage, RedisServer server) throws Exception {
        Actor successor = stage.actor("successor", stage.client(server.url()));
        try (ChildJvm child = ChildJvm.start(HolderProgram.class, server.url())) {
            child.hear("ready");
            long token = Long.parseLong(child.ask("acquire mine " + LEASE.toMillis()));
            child.say("watch " + LEASE.toMillis());
            child.hear("watching");
            child.pause();
            long paused = System.nanoTime();
            Actor.Held next = ServerRows.granted(successor, "mine");
            stage.expect(next.token > token, "FM", "token " + next.token + " after " + token);
            stage.await("the pause", () -> Stage.millisSince(paused) > 2 * LEASE.toMillis());
            child.resume();
            String first = child.hear("watch ");
            stage.expect(first.equals("LOST"), "ERR", "the first look after the pause said " + first);
            stage.bite(
                    1,
                    "JVM stopped for " + Stage.millisSince(paused) + " ms: its first look at the state said " + first);
            next.release();
        }
    }

    static void threadDies(Stage stage) throws Exception {
        RedisServer server = stage.server();
        PlayedLoad load = stage.load(server.url());
        LockClient client = stage.client(server.url());
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(5);
            Recorder recorder = new Recorder();
            LockOptions options = LockOptions.builder()
                    .watchdogLease(LEASE)
                    .listener(recorder)
                    .build();
            LockHold handle = Background.call(() ->
                            client.getLock("handle", Clients.watchdog(LEASE)).acquire())
                    .result();
            Background<Boolean> owner =
                    Background.run(() -> client.getLock("mine", options).lock());
            owner.result();
            owner.thread().join();
            long died = System.nanoTime();
            stage.trouble("owner's thread has died", () -> {
                stage.await(
                        "the end of renewal is told",
                        LEASE.plusMillis(1_500),
                        () -> recorder.lost().size() == 1);
                long told = Stage.millisSince(died);
                LockEvent loss = recorder.lost().get(0);
                stage.journal.see(new Seen.Told(
                        "owner",
                        loss.name(),
                        loss.fencingToken().orElseThrow(),
                        loss.lossReason().orElseThrow() + ": " + loss.detail().orElse(""),
                        System.nanoTime()));
                Actor successor = stage.actor("successor-" + stage.journal.grants(), client);
                ServerRows.granted(successor, "mine").release();
                stage.bite(
                        1,
                        "thread died holding: lost after " + told + " ms (lease " + LEASE.toMillis()
                                + " ms), taken by the next after " + Stage.millisSince(died) + " ms");
            });
            stage.expect(
                    handle.state() == HoldState.HELD, "LV", "a hold of its own ended with the thread that took it");
            handle.close();
        }
        load.awaitGrants(10);
    }

    static void closed(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        proxy.delayReplies(Duration.ofMillis(3));
        PlayedLoad load = stage.load(server.url());
        int closes = stage.rounds(10, 40);
        int ended = 0;
        long slowest = 0;
        for (int round = 0; round < closes; round++) {
            LockClient client = stage.client(proxy.url());
            List<RFuture<LockHold>> acquires = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                acquires.add(client.getLock("mine-" + i % 20).acquireAsync());
            }
            RLock thread = client.getLock("mine-0");
            Background<Boolean> blocked = Background.run(thread::lock);
            if (round % 2 == 0) {
                acquires.get(0).get(5, TimeUnit.SECONDS);
            }
            long start = System.nanoTime();
            stage.trouble("close()", client::close);
            slowest = Math.max(slowest, Stage.millisSince(start));
            for (RFuture<LockHold> acquire : acquires) {
                stage.await("every call ends", Duration.ofSeconds(3), acquire::isDone);
                ended += isClosedOrGranted(stage, acquire) ? 1 : 0;
            }
            stage.await("the thread ends", Duration.ofSeconds(3), blocked::isDone);
            stage.await("nothing is left", Duration.ofSeconds(3), () -> Leftovers.lockKeys(stage.servers()).stream()
                    .noneMatch(key -> key.contains("mine")));
        }
        stage.bite(
                closes,
                "times close() with 51 calls: " + ended + " holds released or waits ended, the slowest close " + slowest
                        + " ms");
        LockClient silent = stage.client(server.url());
        silent.getLock("mine").acquire();
        stage.fault("close() while the server is stopped", () -> {
            server.pause();
            long start = System.nanoTime();
            silent.close();
            long took = Stage.millisSince(start);
            stage.note("close() with a silent server took " + took + " ms");
            stage.expect(took < Clients.COMMAND_TIMEOUT.toMillis() * 2 + 1_000, "LV", "close() took " + took + " ms");
            server.resume();
        });
        // What a silent server could not be told ends with its lease.
        raw.command("DEL", Stored.key("mine"));
        load.awaitGrants(10);
    }

    private static boolean isClosedOrGranted(Stage stage, RFuture<LockHold> acquire) throws InterruptedException {
        try {
            return acquire.get() != null;
        } catch (ExecutionException failed) {
            boolean typed = failed.getCause() instanceof LockClientClosedException;
            stage.expect(typed, "ERR", "a waiter was told " + failed.getCause());
            return typed;
        }
    }

    static void onEventLoop(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(stage.plan(server.url()).watchdog(Duration.ofSeconds(6)));
        LockClient client = stage.client(server.url(), Clients.quick().callbackExecutor(Runnable::run));
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(8);
            RLock other = client.getLock("other");
            List<CompletionStage<List<Throwable>>> refused = new ArrayList<>();
            // The answer has to find the callback there, or the callback would run on this thread.
            stage.fault("blocking calls on an event loop", () -> {
                server.pause();
                RFuture<LockHold> granted = client.getLock("mine").acquireAsync();
                refused.add(granted.thenApply(hold -> {
                    List<Throwable> thrown = new ArrayList<>();
                    thrown.add(failure(other::lock));
                    thrown.add(failure(other::tryLock));
                    thrown.add(failure(() -> other.tryLock(1, TimeUnit.SECONDS)));
                    thrown.add(failure(other::unlock));
                    thrown.add(failure(other::acquire));
                    thrown.add(failure(other::isLocked));
                    thrown.add(failure(hold::close));
                    hold.releaseAsync();
                    return thrown;
                }));
                server.resume();
                List<Throwable> thrown = refused.get(0).toCompletableFuture().get(10, TimeUnit.SECONDS);
                long right = thrown.stream()
                        .filter(each -> each.getClass() == IllegalStateException.class)
                        .count();
                stage.expect(right == thrown.size(), "ERR", "not refused as they should be: " + thrown);
                stage.bite(right, "blocking calls on an event loop thread refused at once");
            });
            stage.await("the release", () -> !Stored.exists(raw, "mine"));
        }
        load.awaitGrants(8);
    }

    private static Throwable failure(Background.Work work) {
        try {
            work.run();
            return new AssertionError("it did not fail");
        } catch (Exception failure) {
            return failure;
        }
    }
}
