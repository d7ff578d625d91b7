package io.holdfast.lock.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows 4 and 5: the server stands still (SIGSTOP) and goes on. */
@RedisTest
class FreezeTest {

    /** How long after the freeze a head may begin to ask. */
    private static final Duration POLL = Duration.ofSeconds(5);

    /** Row 4. */
    @Tag("proof")
    @Test
    void aHoldIsLostWhenItsValidityEndsThoughTheServerIsSilent(RedisServer redis) throws Exception {
        Duration lease = Duration.ofSeconds(3);
        try (LockClient client = Clients.connect(redis.url());
                LockClient other = Clients.connect(redis.url())) {
            AtomicInteger losses = new AtomicInteger();
            LockHold hold =
                    client.getLock("job", Clients.watchdog(lease)).acquire().onLost(loss -> losses.incrementAndGet());
            long token = hold.fencingToken();
            redis.pause();
            long pausedNanos = System.nanoTime();
            try {
                await().atMost(lease.plusSeconds(1)).until(() -> losses.get() == 1);
                assertThat(Duration.ofNanos(System.nanoTime() - pausedNanos))
                        .isBetween(lease.dividedBy(2), lease.plusMillis(900));
                assertThat(hold.state()).isEqualTo(HoldState.LOST);
                assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
            } finally {
                redis.resume();
            }
            try (LockHold next =
                    other.getLock("job").tryAcquire(Duration.ofSeconds(5)).orElseThrow()) {
                assertThat(next.fencingToken()).isGreaterThan(token);
                assertThat(hold.state()).isEqualTo(HoldState.LOST);
                assertThat(next.state()).isEqualTo(HoldState.HELD);
            }
            assertThat(losses).hasValue(1);
        }
    }

    /** Row 5. */
    @Test
    void anAcquireInFlightAndItsRetryCountOnce(RedisServer redis) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            redis.pause();
            assertThatThrownBy(() -> lock.tryLock(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(LockOutcomeUnknownException.class);
            redis.resume();

            assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
            try (RawRedis raw = redis.connect()) {
                assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
                lock.unlock();
                assertThat(Stored.leftovers(raw)).isEmpty();
            }
        }
    }

    /** Row 4: an outage counts once for all who wait, and ends for all of them together. */
    @Tag("proof")
    @Test
    void aHundredCallsWithoutALimitEndWithOneOutage(RedisServer redis) throws Exception {
        Duration outage = Duration.ofSeconds(2);
        ClientOptions options = Clients.quick().maxOutage(outage).build();
        try (LockClient holder = Clients.connect(redis.url());
                LockClient client = LockClient.connect(redis.url(), options)) {
            holder.getLock("job").lock();
            List<RFuture<LockHold>> waiters = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                waiters.add(client.getLock("job").acquireAsync());
            }
            await().until(() -> client.inspect("job").localWaiters() == 100);
            redis.pause();
            try {
                await().atMost(POLL.plus(outage).plus(Clients.COMMAND_TIMEOUT).plusSeconds(1))
                        .until(() -> waiters.get(0).isDone());
                Duration others = Clients.COMMAND_TIMEOUT.plusMillis(500);
                await().atMost(others).until(() -> waiters.stream().allMatch(RFuture::isDone));
                assertThat(waiters).allMatch(FreezeTest::hasFailed);
            } finally {
                redis.resume();
            }
        }
    }

    /** Row 5: nobody has the lock, and nobody is told that somebody has. */
    @Test
    void shortWaitsAtAFrozenServerFailAndAreNotRefused(RedisServer redis) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            redis.pause();
            List<RFuture<Boolean>> calls = new ArrayList<>();
            for (int thread = 1; thread <= 4; thread++) {
                calls.add(client.getLock("job").tryLockAsync(200, -1, TimeUnit.MILLISECONDS, thread));
            }
            try {
                Duration bound = Clients.COMMAND_TIMEOUT.plusMillis(200);
                await().atMost(bound.plusSeconds(1)).until(() -> calls.stream().allMatch(RFuture::isDone));
                assertThat(calls).allMatch(FreezeTest::hasFailed);
            } finally {
                redis.resume();
            }
        }
    }

    /** Row 5, with a wait that is longer than the freeze: the same call is granted. */
    @Test
    void aWaitOutlivesAFreeze(RedisServer redis) throws Exception {
        try (LockClient client = Clients.connect(redis.url())) {
            RLock lock = client.getLock("job");
            redis.pause();
            var granted = lock.tryAcquireAsync(Duration.ofSeconds(10));
            await().during(Clients.COMMAND_TIMEOUT.multipliedBy(2)).until(() -> !granted.isDone());
            redis.resume();

            LockHold hold = granted.get(5, TimeUnit.SECONDS).orElseThrow();
            try (RawRedis raw = redis.connect()) {
                assertThat(Stored.holdCount(raw, "job")).isEqualTo(1);
                hold.close();
                assertThat(Stored.leftovers(raw)).isEmpty();
            }
        }
    }

    /** Row 5: the connection broke first, so that no undo went behind the request, which lies in the socket of the server. */
    @Tag("proof")
    @Test
    void aRequestThatWaitedForLongerThanItsLeaseLeavesNothing(RedisServer redis) throws Exception {
        Duration lease = Duration.ofSeconds(4);
        ClientOptions options =
                Clients.quick().heartbeat(Duration.ofMillis(500)).build();
        try (LockClient client = LockClient.connect(redis.url(), options)) {
            RLock lock = client.getLock("job", Clients.watchdog(lease));
            redis.pause();
            try {
                assertThatThrownBy(() -> lock.tryLock(4, TimeUnit.SECONDS))
                        .isInstanceOf(LockOutcomeUnknownException.class);
                await().during(lease.multipliedBy(2))
                        .atMost(lease.multipliedBy(3))
                        .until(() -> true);
            } finally {
                redis.resume();
            }
            assertThat(client.getLock("else").tryLock(5, TimeUnit.SECONDS)).isTrue();
            client.getLock("else").unlock();
            try (RawRedis raw = redis.connect()) {
                await().atMost(Duration.ofSeconds(1))
                        .until(() -> Stored.leftovers(raw).isEmpty());
            }
        }
    }

    private static boolean hasFailed(RFuture<?> call) {
        return call.toCompletableFuture().isCompletedExceptionally();
    }
}
