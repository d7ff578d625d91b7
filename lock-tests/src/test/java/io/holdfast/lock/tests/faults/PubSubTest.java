package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 20 to 23: messages are lost. */
@RedisTest
class PubSubTest {

    /** The poll with its jitter, and a round trip on a busy machine. */
    private static final Duration POLL = Duration.ofSeconds(7);

    /** The same while no messages arrive, as far as the client knows. */
    private static final Duration DEAF_POLL = Duration.ofMillis(2_500);

    /** Row 20. */
    @Test
    void aWaiterIsGrantedByPollingWhenNoMessageComes(RedisServer redis, RawRedis raw) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(proxy.url())) {
            LockHold hold = holder.getLock("job").acquire();
            RFuture<LockHold> waiter = other.getLock("job").acquireAsync();
            await().until(() -> Stored.subscribers(raw, "job") == 1);
            proxy.onAccept(FaultProxy.Link::blackhole);
            proxy.awaitConnections(2).get(1).blackhole();
            hold.close();

            waiter.get(POLL.toMillis(), TimeUnit.MILLISECONDS).close();
        }
    }

    /** Row 21: the connection is killed, and the next subscription finds the lock free. */
    @Test
    void aWaiterSubscribesAgainAndLooksAfterItsConnectionWasKilled(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url())) {
            for (int round = 0; round < 10; round++) {
                LockHold hold = holder.getLock("job").acquire();
                RFuture<LockHold> waiter = other.getLock("job").acquireAsync();
                await().until(() -> Stored.subscribers(raw, "job") == 1);
                raw.command("CLIENT", "KILL", "TYPE", "pubsub");
                hold.close();
                waiter.get(1, TimeUnit.SECONDS).close();
            }
        }
    }

    /** Row 21: the right to the channel is revoked, which ends the subscription for good. */
    @Test
    void aWaiterWhoseChannelWasRevokedIsGrantedByPolling(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "&*");
        try (LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url().replace("redis://", "redis://app:secret@"))) {
            LockHold hold = holder.getLock("job").acquire();
            RFuture<LockHold> waiter = other.getLock("job").acquireAsync();
            await().until(() -> Stored.subscribers(raw, "job") == 1);
            raw.command("ACL", "SETUSER", "app", "resetchannels");
            // Redis 6.2 takes no notice of subscriptions that stand.
            raw.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().until(() -> Stored.subscribers(raw, "job") == 0);
            hold.close();

            waiter.get(DEAF_POLL.toMillis(), TimeUnit.MILLISECONDS).close();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Row 21: a user without channels, as the server makes them by default. */
    @Tag("proof")
    @Test
    void withoutChannelsALockIsHandedFromClientToClientSoon(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*", "resetchannels");
        String url = redis.url().replace("redis://", "redis://app:secret@");
        try (LockClient one = Clients.connect(url);
                LockClient other = Clients.connect(url)) {
            LockHold hold = one.getLock("job").acquire();
            for (int round = 0; round < 6; round++) {
                LockClient next = round % 2 == 0 ? other : one;
                RFuture<LockHold> waiter = next.getLock("job").acquireAsync();
                await().until(() -> next.inspect("job").localWaiters() == 1);
                hold.close();
                hold = waiter.get(DEAF_POLL.toMillis(), TimeUnit.MILLISECONDS);
            }
            hold.close();
        }
    }

    /** Row 22: the release comes after the refusal and before the subscription stands, so no message reaches anybody. */
    @Test
    void aReleaseBetweenRefusalAndSubscriptionIsNoticed(RedisServer redis, RawRedis raw) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(proxy.url())) {
            LockHold hold = holder.getLock("job").acquire();
            FaultProxy.Link messages = withPubSub(proxy, other, holder, raw);
            messages.holdRequests();
            RFuture<LockHold> waiter = other.getLock("job").acquireAsync();
            await().until(() -> other.inspect("job").localWaiters() == 1);
            hold.close();
            assertThat(waiter.isDone()).isFalse();
            messages.heal();

            waiter.get(1, TimeUnit.SECONDS).close();
        }
    }

    /** Row 22, at random moments: no release is slept through. */
    @Test
    void noReleaseIsSleptThrough(RedisServer redis) throws Exception {
        try (LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url())) {
            for (int round = 0; round < 200; round++) {
                LockHold hold = holder.getLock("job-" + round).acquire();
                RFuture<LockHold> waiter = other.getLock("job-" + round).acquireAsync();
                long untilNanos = System.nanoTime() + round * 10_000L;
                while (System.nanoTime() < untilNanos) {
                    Thread.onSpinWait();
                }
                hold.close();
                waiter.get(1, TimeUnit.SECONDS).close();
            }
        }
    }

    /** Row 23: a subscriber that does not read is dropped by the server; it subscribes again, and looks. */
    @Test
    void aWaiterWhoseMessagesOverranTheServerSubscribesAgain(RedisServer redis, RawRedis raw) throws Exception {
        raw.command("CONFIG", "SET", "client-output-buffer-limit", "pubsub 65536 0 0");
        try (FaultProxy proxy = FaultProxy.to(redis);
                LockClient holder = Clients.connect(redis.url());
                LockClient other = Clients.connect(proxy.url())) {
            FaultProxy.Link messages = withPubSub(proxy, other, holder, raw);
            LockHold hold = holder.getLock("job").acquire();
            RFuture<LockHold> released = other.getLock("job").acquireAsync();
            await().until(() -> Stored.subscribers(raw, "job") == 1);
            overrun(messages, raw);
            hold.close();
            proxy.heal();
            hold = released.get(20, TimeUnit.SECONDS);

            RFuture<LockHold> woken = holder.getLock("job").acquireAsync();
            await().until(() -> Stored.subscribers(raw, "job") == 1);
            hold.close();
            woken.get(20, TimeUnit.SECONDS).close();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Publishes to a subscriber whose reading is held back, until the server gives it up. */
    private static void overrun(FaultProxy.Link messages, RawRedis raw) {
        messages.holdReplies();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            Stored.flood(raw, "job");
            return Stored.subscribers(raw, "job") == 0;
        });
    }

    /** Lets a client wait once, so that its connection for messages is there, and returns that connection. */
    private static FaultProxy.Link withPubSub(FaultProxy proxy, LockClient waiting, LockClient holder, RawRedis raw)
            throws Exception {
        LockHold hold = holder.getLock("first").acquire();
        RFuture<LockHold> waiter = waiting.getLock("first").acquireAsync();
        await().until(() -> Stored.subscribers(raw, "first") == 1);
        hold.close();
        waiter.get(5, TimeUnit.SECONDS).close();
        return proxy.awaitConnections(2).get(1);
    }
}
