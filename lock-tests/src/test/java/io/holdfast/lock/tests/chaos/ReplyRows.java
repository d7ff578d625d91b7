package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.FrameFate;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.history.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Rows 6 to 9: what was done, and what was heard of it. */
final class ReplyRows {

    private static final Duration SOON = Duration.ofSeconds(5);

    private ReplyRows() {}

    static void replyLost(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        FaultProxy others = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(stage.plan(server.url()), stage.plan(others.url()));
        Actor caller = stage.actor("caller", stage.client(proxy.url()));
        granted(caller.tryLock("mine", SOON)).release();
        for (int round = 0; round < stage.rounds(2, 8); round++) {
            load.awaitGrants(5);
            AtomicInteger lost = new AtomicInteger();
            stage.trouble("replies swallowed", () -> {
                proxy.onReply(reply -> {
                    lost.incrementAndGet();
                    return FrameFate.SWALLOW;
                });
                // For the load: whole replies are lost now and then, and the connection with them.
                others.onReply(reply -> stage.random.nextInt(30) == 0
                        ? FrameFate.cutAfter(stage.random.nextInt(reply.size() + 1))
                        : FrameFate.PASS);
                Actor.Held held = caller.tryLock("mine", Duration.ofMillis(100));
                stage.expect(held == null, "ME", "granted although no reply came");
                stage.expect(
                        caller.lastFailure() instanceof LockOutcomeUnknownException,
                        "ERR",
                        "expected an unknown outcome: " + caller.lastFailure());
                proxy.heal();
                others.heal();
            });
            long healed = System.nanoTime();
            stage.await("what was applied is undone", SOON, () -> !Stored.exists(raw, "mine"));
            stage.bite(
                    lost.get(),
                    "reply swallowed: 1 unknown outcome, resolved " + Stage.millisSince(healed)
                            + " ms after the network was back");
            Actor.Held held = granted(caller.tryLock("mine", SOON));
            stage.expect(Stored.holdCount(raw, "mine") == 1, "HC", "counted " + Stored.holdCount(raw, "mine"));
            held.release();
        }
        load.awaitGrants(10);
    }

    static void lateCopy(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        FaultProxy others = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        AtomicInteger copied = new AtomicInteger();
        others.onRequest(request -> {
            if (request.contains("EVALSHA") && stage.random.nextInt(3) == 0) {
                copied.incrementAndGet();
                return FrameFate.TWICE;
            }
            return FrameFate.PASS;
        });
        PlayedLoad load = stage.load(stage.plan(server.url()), stage.plan(others.url()));
        RLock lock = stage.client(proxy.url()).getLock("mine");
        lock.acquire().close();
        for (int round = 0; round < stage.rounds(2, 8); round++) {
            load.awaitGrants(5);
            FaultProxy.Link old = proxy.connections().get(0);
            if (round % 2 == 0) {
                stage.fault("copy left in a stopped server's socket", () -> {
                    server.pause();
                    long before = proxy.traffic().requestsForwarded();
                    RFuture<Optional<LockHold>> acquire = lock.tryAcquireAsync(Duration.ofSeconds(10));
                    proxy.awaitTraffic(traffic -> traffic.requestsForwarded() > before);
                    old.cutClient();
                    server.resume();
                    acquire.get(10, TimeUnit.SECONDS).orElseThrow().close();
                });
            } else {
                stage.trouble("copy that arrives after the release", () -> {
                    old.holdRequests();
                    RFuture<Optional<LockHold>> acquire = lock.tryAcquireAsync(Duration.ofSeconds(10));
                    old.cutClient();
                    acquire.get(10, TimeUnit.SECONDS).orElseThrow().close();
                    old.heal();
                });
            }
            long until = System.nanoTime() + 300_000_000L;
            while (System.nanoTime() - until < 0) {
                stage.expect(!Stored.exists(raw, "mine"), "HC", "the copy took the lock");
                stage.during(10);
            }
            stage.bite(1, "late copy of an acquire: took nothing");
        }
        load.awaitGrants(10);
        stage.bite(copied.get(), "requests of the load that were executed twice");
    }

    static void releaseUnheard(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        Actor owner = stage.actor("owner", stage.client(proxy.url()));
        granted(owner.tryLock("mine", SOON)).release();
        for (int round = 0; round < stage.rounds(2, 8); round++) {
            load.awaitGrants(5);
            boolean applied = round % 2 == 0;
            Background<Outcome> released = Background.call(() -> {
                Actor.Held held = granted(owner.tryAcquire("mine", SOON));
                if (applied) {
                    proxy.swallowReplies();
                } else {
                    proxy.swallowRequests();
                }
                return held.release();
            });
            stage.trouble(applied ? "release done, unheard" : "release never arrives", () -> {
                if (applied) {
                    stage.await("the release is done", () -> proxy.traffic().repliesSwallowed() > 0);
                    stage.during(100);
                } else {
                    stage.await("the release is lost", () -> proxy.traffic().requestsSwallowed() > 0);
                    released.result(Duration.ofSeconds(10));
                }
                proxy.heal();
            });
            Outcome outcome = released.result(Duration.ofSeconds(10));
            stage.expect(
                    outcome == (applied ? Outcome.OK : Outcome.UNKNOWN),
                    "ERR",
                    "the rightful owner was told " + outcome);
            stage.await("the lock is free", SOON, () -> !Stored.exists(raw, "mine"));
            stage.bite(
                    1,
                    applied
                            ? "release whose reply was lost: repeated, and a success"
                            : "release that did not arrive: told unknown, repeated in the background");
        }
        load.awaitGrants(10);
    }

    static void releaseTooLate(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        Actor owner = stage.actor("owner", stage.client(server.url()));
        Actor successor = stage.actor("successor", stage.client(server.url()), Clients.watchdog(SOON));
        for (int round = 0; round < stage.rounds(3, 10); round++) {
            load.awaitGrants(3);
            Duration lease = Duration.ofMillis(200 + stage.random.nextInt(300));
            Actor.Held held = granted(owner.tryAcquire("mine", SOON, lease));
            boolean takenOver = round % 2 == 1;
            long before = System.nanoTime();
            Actor.Held[] next = new Actor.Held[1];
            stage.trouble(takenOver ? "key deleted" : "lease runs out", () -> {
                if (takenOver) {
                    raw.command("DEL", Stored.key("mine"));
                    stage.forgot(before, "mine");
                }
                next[0] = granted(successor.tryAcquire("mine", SOON));
            });
            stage.expect(held.release() == Outcome.LOST, "ERR", "released after it was lost");
            stage.expect(
                    Long.toString(next[0].token).equals(raw.text("HGET", Stored.key("mine"), "token"))
                            && Stored.holdCount(raw, "mine") == 1,
                    "ME",
                    "the successor was touched");
            stage.bite(1, "late release: told lost, the successor untouched");
            next[0].release();
        }
    }

    static Actor.Held granted(Actor.Held held) {
        if (held == null) {
            throw new AssertionError("the lock was not granted");
        }
        return held;
    }
}
