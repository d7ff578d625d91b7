package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rows 20 to 23: messages are lost. */
final class MessageRows {

    /** The poll with its jitter, and some time for a busy machine. */
    private static final Duration POLL = Duration.ofMillis(7_500);

    private static final Duration SOON = Duration.ofSeconds(5);

    private MessageRows() {}

    /** The waiters behind the proxy hear nothing: they have to look. */
    static void messagesCut(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load =
                stage.load(stage.plan(server.url()), stage.plan(proxy.url()).waiting(Duration.ofSeconds(12)));
        load.awaitGrants(30);
        LockClient holder = stage.client(server.url());
        LockClient waiting = stage.client(proxy.url());
        withMessages(stage, proxy, waiting, holder, raw);
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            LockHold hold = stage.lock(holder, "mine").acquire();
            RFuture<LockHold> waiter = stage.lock(waiting, "mine").acquireAsync();
            stage.await("the waiter subscribes", () -> Stored.subscribers(raw, "mine") == 1);
            stage.trouble("pub/sub flow cut", () -> {
                proxy.onAccept(FaultProxy.Link::blackhole);
                messageLinks(proxy, raw).forEach(FaultProxy.Link::blackhole);
                long freed = System.nanoTime();
                hold.close();
                LockHold next = waiter.get(POLL.toMillis(), TimeUnit.MILLISECONDS);
                stage.bite(1, "release without a message: found by polling after " + Stage.millisSince(freed) + " ms");
                next.close();
                proxy.onAccept(link -> {});
                proxy.heal();
            });
            load.awaitGrants(20);
        }
    }

    static void subscribersKilled(Stage stage) throws Exception {
        RedisServer server = stage.server();
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        long killed = 0;
        for (int round = 0; round < stage.rounds(8, 30); round++) {
            load.awaitGrants(4);
            long[] count = new long[1];
            stage.trouble("CLIENT KILL TYPE pubsub", () -> count[0] = raw.integer("CLIENT", "KILL", "TYPE", "pubsub"));
            killed += count[0];
        }
        stage.bite(killed, "subscribed connections killed");
        load.awaitGrants(20);

        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "&*");
        LockClient holder = stage.client(server.url());
        LockClient waiting = stage.client(server.url().replace("redis://", "redis://app:secret@"));
        LockHold hold = stage.lock(holder, "mine").acquire();
        RFuture<LockHold> waiter = stage.lock(waiting, "mine").acquireAsync();
        stage.await("the waiter subscribes", () -> Stored.subscribers(raw, "mine") == 1);
        stage.trouble("right to the channel revoked", () -> {
            raw.command("ACL", "SETUSER", "app", "resetchannels");
            stage.await("the subscription ends", () -> Stored.subscribers(raw, "mine") == 0);
            long freed = System.nanoTime();
            hold.close();
            waiter.get(POLL.toMillis(), TimeUnit.MILLISECONDS).close();
            stage.bite(1, "subscription revoked: found by polling after " + Stage.millisSince(freed) + " ms");
        });
    }

    static void releasedBeforeSubscribed(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        PlayedLoad load = stage.load(server.url());
        LockClient holder = stage.client(server.url());
        LockClient waiting = stage.client(proxy.url());
        withMessages(stage, proxy, waiting, holder, raw);
        for (int round = 0; round < stage.rounds(3, 10); round++) {
            load.awaitGrants(3);
            String lock = "mine-" + round;
            LockHold hold = holder.getLock(lock).acquire();
            FaultProxy.Link messages = messageLinks(proxy, raw).get(0);
            stage.trouble("SUBSCRIBE held up", () -> {
                messages.holdRequests();
                RFuture<LockHold> waiter = waiting.getLock(lock).acquireAsync();
                stage.await("the call waits", () -> waiting.inspect(lock).localWaiters() == 1);
                hold.close();
                stage.during(50);
                stage.expect(!waiter.isDone(), "row", "the waiter did not depend on the subscription");
                long healed = System.nanoTime();
                messages.heal();
                waiter.get(2, TimeUnit.SECONDS).close();
                stage.bite(
                        1,
                        "release before the subscription: noticed " + Stage.millisSince(healed)
                                + " ms after its confirmation could come");
            });
        }
        LockClient direct = stage.client(server.url());
        long slowest = 0;
        int moments = stage.rounds(60, 300);
        for (int round = 0; round < moments; round++) {
            LockHold hold = holder.getLock("moment-" + round).acquire();
            RFuture<LockHold> waiter = direct.getLock("moment-" + round).acquireAsync();
            long until = System.nanoTime() + stage.random.nextInt(2_000_000);
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            hold.close();
            long freed = System.nanoTime();
            waiter.get(4, TimeUnit.SECONDS).close();
            slowest = Math.max(slowest, Stage.millisSince(freed));
        }
        stage.note(moments + " releases at random moments: the slowest waiter had the lock after " + slowest + " ms");
        stage.expect(slowest < 2_000, "NLW", "a release was slept through for " + slowest + " ms");
    }

    /** So much is published to a subscriber that does not read that the server gives it up. */
    static void messagesOverrun(Stage stage) throws Exception {
        RedisServer server = stage.server();
        FaultProxy proxy = stage.proxy(server);
        RawRedis raw = stage.raw(server);
        raw.command("CONFIG", "SET", "client-output-buffer-limit", "pubsub 65536 0 0");
        PlayedLoad load = stage.load(server.url());
        LockClient holder = stage.client(server.url());
        LockClient waiting = stage.client(proxy.url());
        withMessages(stage, proxy, waiting, holder, raw);
        for (int round = 0; round < stage.rounds(1, 4); round++) {
            load.awaitGrants(10);
            LockHold hold = holder.getLock("mine").acquire();
            RFuture<LockHold> waiter = waiting.getLock("mine").acquireAsync();
            stage.await("the waiter subscribes", () -> Stored.subscribers(raw, "mine") == 1);
            stage.trouble("subscriber overrun", () -> {
                messageLinks(proxy, raw).forEach(FaultProxy.Link::holdReplies);
                int[] sent = new int[1];
                stage.await("the server gives the subscriber up", () -> {
                    Stored.flood(raw, "mine");
                    sent[0]++;
                    return Stored.subscribers(raw, "mine") == 0;
                });
                hold.close();
                long healed = System.nanoTime();
                proxy.heal();
                waiter.get(SOON.toMillis(), TimeUnit.MILLISECONDS).close();
                stage.bite(
                        1,
                        "subscriber overrun by " + sent[0] * 200 + " kB and dropped; granted "
                                + Stage.millisSince(healed) + " ms after it could know");
            });
        }
        load.awaitGrants(10);
    }

    /** Lets a client wait once, so that its connection for messages is there. */
    private static void withMessages(Stage stage, FaultProxy proxy, LockClient waiting, LockClient holder, RawRedis raw)
            throws Exception {
        LockHold hold = holder.getLock("first").acquire();
        RFuture<LockHold> waiter = waiting.getLock("first").acquireAsync();
        stage.await("the first waiter subscribes", () -> Stored.subscribers(raw, "first") == 1);
        hold.close();
        waiter.get(5, TimeUnit.SECONDS).close();
        stage.await("both connections", () -> proxy.connections().size() >= 2);
    }

    /** The connections through the proxy that the server sends messages on. */
    private static List<FaultProxy.Link> messageLinks(FaultProxy proxy, RawRedis raw) {
        List<String> ports = raw.clients().stream()
                .filter(client -> !"0".equals(client.get("sub")))
                .map(client -> client.get("addr").replaceFirst(".*:", ""))
                .toList();
        return proxy.connections().stream()
                .filter(link -> ports.contains(Integer.toString(link.port())))
                .toList();
    }
}
