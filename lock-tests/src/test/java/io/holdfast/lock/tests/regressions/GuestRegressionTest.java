package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@RedisTest
class GuestRegressionTest {

    /** Redisson 4.7.0: with memory full under {@code noeviction} a lock that was entered twice can't be released. */
    @Test
    void aLockIsReleasedThoughMemoryIsFull(RedisServer redis, RawRedis raw) {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            lock.lock();
            lock.lock();
            raw.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            raw.command("CONFIG", "SET", "maxmemory", "1");

            lock.unlock();
            assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
            lock.unlock();
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Redisson 4.7.0: service keys and channels lie outside of the user's prefix, where an ACL forbids them. */
    @Test
    void everythingLiesUnderThePrefix(RedisServer redis, RawRedis raw) throws Exception {
        raw.command(
                "ACL", "SETUSER", "app", "on", ">secret", "resetkeys", "resetchannels", "+@all", "~app:*", "&app:*");
        String url = redis.url().replace("redis://", "redis://app:secret@");
        ClientOptions options = Clients.quick()
                .lockOptions(LockOptions.builder().prefix("app").build())
                .build();
        try (LockClient first = LockClient.connect(url, options);
                LockClient second = LockClient.connect(url, options)) {
            LockHold hold = first.getLock("job").acquire();
            RFuture<LockHold> waiter = second.getLock("job").acquireAsync();
            await().until(() -> raw.list("PUBSUB", "CHANNELS", "app:*").size() == 1);
            assertThat(first.inspect("job").subscribedProcesses()).isEqualTo(1);
            first.getFencedValue("stock").set("41", hold.fencingToken());
            hold.close();
            waiter.get(2, TimeUnit.SECONDS).close();

            assertThat(raw.list("KEYS", "*")).isNotEmpty().allMatch(key -> key.startsWith("app:"));
            assertThat(raw.list("ACL", "LOG")).isEmpty();
        }
    }

    /** Redisson 4.7.0: the owner is the calling thread, so asynchronous code gets IllegalMonitorStateException. */
    @Test
    void aHoldIsReleasedFromAnyThread(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            Thread caller = Thread.currentThread();
            Boolean elsewhere = lock.acquireAsync()
                    .thenApplyAsync(hold -> {
                        hold.close();
                        return Thread.currentThread() != caller;
                    })
                    .toCompletableFuture()
                    .get(5, TimeUnit.SECONDS);
            assertThat(elsewhere).isTrue();
            assertThat(Stored.leftovers(raw)).isEmpty();

            lock.lockAsync(4711)
                    .thenCompose(locked -> lock.unlockAsync(4711))
                    .toCompletableFuture()
                    .get(5, TimeUnit.SECONDS);
            assertThat(Stored.leftovers(raw)).isEmpty();
        }
    }

    /** Redisson 4.7.0: callbacks of futures run where a blocking call deadlocks or starves. */
    @Test
    void callbacksMayBlock(RedisServer redis, RawRedis raw) throws Exception {
        int callbacks = 64;
        try (LockClient client = Clients.connect(redis.url())) {
            LockHold gate = client.getLock("gate").acquire();
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (int i = 0; i < callbacks; i++) {
                RLock inner = client.getLock("inner-" + i % 4);
                ends.add(client.getLock("outer-" + i)
                        .acquireAsync()
                        // Not thenAccept: of a lock that is granted already it would run here, and wait for us.
                        .thenAcceptAsync(outer -> {
                            client.getLock("gate").lock();
                            client.getLock("gate").unlock();
                            inner.lock();
                            inner.unlock();
                            outer.close();
                        })
                        .toCompletableFuture());
            }
            await().until(() -> client.inspect("gate").localWaiters() >= 8);
            gate.close();
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
    }
}
