package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 41, 42 and 46: the owner dies, closes its client, or waits where nobody may wait. */
@RedisTest
class OwnershipTest {

    /** Row 41. */
    @Test
    void renewalEndsWithTheThreadThatTookTheLock(RedisServer redis, RawRedis raw) throws Exception {
        Duration lease = Duration.ofSeconds(1);
        Recorder recorder = new Recorder();
        LockOptions options =
                LockOptions.builder().watchdogLease(lease).listener(recorder).build();
        try (LockClient client = Clients.connect(redis.url())) {
            Background<Boolean> owner =
                    Background.run(() -> client.getLock("job", options).lock());
            owner.result();
            owner.thread().join();

            await().atMost(lease.multipliedBy(2)).until(() -> recorder.lost().size() == 1);
            assertThat(recorder.lost().get(0).detail())
                    .hasValueSatisfying(detail -> assertThat(detail).contains("background"));
            assertThat(client.getLock("job").tryLock(1, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Row 41: a hold of its own belongs to no thread. */
    @Tag("proof")
    @Test
    void aHandleOutlivesTheThreadThatTookIt(RedisServer redis) throws Exception {
        Duration lease = Duration.ofMillis(1_500);
        try (LockClient client = Clients.connect(redis.url())) {
            Background<LockHold> owner = Background.call(
                    () -> client.getLock("job", Clients.watchdog(lease)).acquire());
            LockHold hold = owner.result();
            owner.thread().join();

            await().during(lease.multipliedBy(3))
                    .atMost(lease.multipliedBy(5))
                    .until(() -> hold.state() == HoldState.HELD);
            hold.close();
        }
    }

    /** Row 42. */
    @Test
    void closingFailsWaitersAndReleasesHolds(RedisServer redis, RawRedis raw) throws Exception {
        LockClient client = Clients.connect(redis.url());
        AtomicReference<LockLoss> loss = new AtomicReference<>();
        LockHold hold = client.getLock("job").acquire().onLost(loss::set);
        RLock threadLock = client.getLock("mine");
        threadLock.lock();
        RFuture<LockHold> waiter = client.getLock("job").acquireAsync();
        Background<Boolean> blocked =
                Background.run(() -> client.getLock("job").lock()).awaitParked();

        client.close();
        client.close();

        assertThat(Stored.leftovers(raw)).isEmpty();
        assertThat(raw.clients()).as("connections").hasSize(1);
        assertThatThrownBy(waiter::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(blocked::result).isInstanceOf(LockClientClosedException.class);
        await().until(() -> loss.get() != null);
        assertThat(loss.get().reason()).isEqualTo(LossReason.CLIENT_CLOSED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
        assertThat(threadLock.isHeldByCurrentThread()).isFalse();
    }

    /** Row 42: whatever is in flight when the client is closed leaves nothing behind. */
    @Tag("proof")
    @Test
    void closingInTheMiddleOfEverythingLeavesNothingBehind(RedisServer redis, RawRedis raw) throws Exception {
        try (FaultProxy proxy = FaultProxy.to(redis)) {
            proxy.delayReplies(Duration.ofMillis(3));
            for (int round = 0; round < 20; round++) {
                LockClient client = Clients.connect(proxy.url());
                List<CompletableFuture<LockHold>> acquires = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    acquires.add(client.getLock("job-" + i % 20).acquireAsync().toCompletableFuture());
                }
                if (round % 2 == 0) {
                    acquires.get(0).get(5, TimeUnit.SECONDS).releaseAsync();
                }
                client.close();

                CompletableFuture<Void> all = CompletableFuture.allOf(acquires.toArray(CompletableFuture[]::new));
                await().pollInterval(Duration.ofMillis(5)).until(all::isDone);
                await().atMost(Duration.ofSeconds(2))
                        .until(() -> Stored.leftovers(raw).isEmpty());
            }
        }
    }

    /** Row 42: a silent server does not hold up the end for more than a command timeout. */
    @Test
    void closingEndsInTimeThoughTheServerIsSilent(RedisServer redis) throws Exception {
        LockClient client = Clients.connect(redis.url());
        LockHold hold = client.getLock("job").acquire();
        RFuture<LockHold> waiter = client.getLock("job").acquireAsync();
        redis.pause();
        try {
            long startNanos = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                    .isLessThan(Clients.COMMAND_TIMEOUT.multipliedBy(2).plusMillis(500));
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThatThrownBy(waiter::get).hasCauseInstanceOf(LockClientClosedException.class);
        } finally {
            redis.resume();
        }
    }

    /** Row 46: callbacks were put on the threads that serve the connections; waiting there would be a deadlock. */
    @Test
    void aBlockingCallOnAnEventLoopThreadIsRefusedAtOnce(RedisServer redis, RawRedis raw) throws Exception {
        try (LockClient client = LockClient.connect(
                redis.url(), Clients.quick().callbackExecutor(Runnable::run).build())) {
            RLock other = client.getLock("other");
            // The answer has to find the callback there, or the callback would run on this thread.
            redis.pause();
            RFuture<LockHold> granted = client.getLock("job").acquireAsync();
            CompletionStage<List<Throwable>> refused = granted.thenApply(hold -> {
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
            });
            redis.resume();
            List<Throwable> refusals = refused.toCompletableFuture().get(5, TimeUnit.SECONDS);

            assertThat(refusals).hasSize(7).allSatisfy(refusal -> assertThat(refusal)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would block"));
            await().until(() -> Stored.leftovers(raw).isEmpty());
        }
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
