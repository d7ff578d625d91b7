package io.holdfast.lock.tests.redisson;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.RedissonShutdownException;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.config.Config;

/**
 * The table of docs/redisson.md, row by row: what a lock of Redisson does, and beside it what ours does. A row of locks over
 * several servers is in {@link MigrationRedLockTest}.
 */
@Tag("proof")
class MigrationTest extends SideBySide {

    private static final Duration PROMPTLY = Duration.ofSeconds(1);
    private static final Duration SHORT_LEASE = Duration.ofMillis(900);

    private org.redisson.api.RLock theirs;
    private RLock ours;

    @BeforeEach
    void takeALockOfEither() {
        theirs = redisson.getLock("theirs");
        ours = client.getLock("ours");
    }

    // --- owners and losses ---

    @Test
    void unlockByAnotherThread() throws Exception {
        theirs.lock();
        assertThatThrownBy(() -> elsewhere(theirs::unlock)).isExactlyInstanceOf(IllegalMonitorStateException.class);
        theirs.unlock();

        ours.lock();
        assertThatThrownBy(() -> elsewhere(ours::unlock))
                .isInstanceOf(LockNotHeldException.class)
                .isInstanceOf(IllegalMonitorStateException.class);
        ours.unlock();
    }

    @Test
    void unlockAfterALoss() {
        theirs.lock();
        raw.command("DEL", "theirs");
        assertThatThrownBy(theirs::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);

        ours.lock();
        raw.command("DEL", "ours");
        assertThatThrownBy(ours::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.lossReason())
                        .isEqualTo(LossReason.KEY_GONE));
    }

    @Test
    void reentryAfterALossThatNobodyHasNoticed() {
        theirs.lock();
        raw.command("DEL", "theirs");
        theirs.lock();
        assertThat(theirs.getHoldCount()).isEqualTo(1);
        theirs.unlock();

        ours.lock();
        raw.command("DEL", "ours");
        assertThatThrownBy(ours::lock).isInstanceOf(LockLostException.class);
        ours.lock();
        assertThat(ours.getHoldCount()).isEqualTo(1);
        ours.unlock();
    }

    @Test
    void aThreadThatDied() throws Exception {
        Config config = new Config();
        config.setLockWatchdogTimeout(SHORT_LEASE.toMillis());
        config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(1);
        RedissonClient quick = Redisson.create(config);
        LockOptions options = SHARED.toBuilder().watchdogLease(SHORT_LEASE).build();
        try {
            diesHolding(() -> quick.getLock("theirs").lock());
            diesHolding(() -> client.getLock("ours", options).lock());
            eventually(() -> assertThat(ours.isLocked()).isFalse());
            assertThat(theirs.isLocked()).as("renewed for nobody").isTrue();
        } finally {
            quick.shutdown();
            raw.command("DEL", "theirs");
        }
    }

    private static void diesHolding(Runnable lock) throws InterruptedException {
        Thread thread = new Thread(lock, "holder");
        thread.start();
        thread.join();
    }

    @Test
    void closing() {
        try (LockClient closing = connectShared()) {
            closing.getLock("ours").lock();
        }
        assertThat(ours.isLocked()).isFalse();

        RedissonClient shutting = connectRedisson(redis);
        shutting.getLock("theirs").lock();
        shutting.shutdown();
        assertThat(theirs.isLocked()).as("left for a lease").isTrue();
        raw.command("DEL", "theirs");
    }

    // --- leases and names ---

    @ParameterizedTest
    @ValueSource(longs = {0, -5, 5})
    void leasesThatTheyAccept(long millis) {
        theirs.lock(millis, MILLISECONDS);
        assertThat(theirs.remainTimeToLive()).isLessThanOrEqualTo(millis > 0 ? millis : 30_000);
        raw.command("DEL", "theirs");

        assertThatIllegalArgumentException().isThrownBy(() -> ours.lock(millis, MILLISECONDS));
    }

    @Test
    void reentryWithALease() {
        theirs.lock();
        theirs.lock(2, SECONDS);
        assertThat(theirs.remainTimeToLive()).isLessThanOrEqualTo(2_000);
        raw.command("DEL", "theirs");

        ours.lock();
        ours.lock(2, SECONDS);
        assertThat(ours.remainTimeToLive()).isGreaterThan(20_000);
        ours.unlock();
        ours.unlock();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a}b", "a{b"})
    void namesThatTheyAccept(String name) {
        theirsWorks(name);
        assertThatIllegalArgumentException().isThrownBy(() -> client.getLock(name));
    }

    @Test
    void namesThatTheyAcceptAreNotOfAnyLengthHere() {
        theirsWorks("x".repeat(1_025));
        assertThatIllegalArgumentException().isThrownBy(() -> client.getLock("x".repeat(1_025)));
    }

    private void theirsWorks(String name) {
        org.redisson.api.RLock lock = redisson.getLock(name);
        lock.lock();
        lock.unlock();
    }

    @Test
    void keys() {
        theirs.lock();
        try (LockClient byDefault = connect()) {
            RLock lock = byDefault.getLock("theirs");
            lock.lock();
            assertThat(lockKeys()).containsExactlyInAnyOrder("theirs", "holdfast:{theirs}");
            lock.unlock();
        }
        theirs.unlock();
    }

    // --- waiting ---

    @Test
    void interruptOnEntry() throws Exception {
        assertThatThrownBy(() -> interrupted(() -> theirs.tryLock(1, 10, SECONDS)))
                .isInstanceOf(RedisException.class);
        eventually(() -> assertThat(theirs.isLocked()).as("taken for nobody").isTrue());
        raw.command("DEL", "theirs");

        assertThatThrownBy(() -> interrupted(() -> ours.tryLock(1, 10, SECONDS)))
                .isInstanceOf(InterruptedException.class);
        assertThat(ours.isLocked()).isFalse();
    }

    private Object interrupted(Callable<?> call) throws Exception {
        return outcome(background.submit(() -> {
            Thread.currentThread().interrupt();
            try {
                return call.call();
            } finally {
                Thread.interrupted();
            }
        }));
    }

    @Test
    void interruptDuringLock() throws Exception {
        theirs.lock();
        Future<Boolean> theirWaiter = background.submit(waits(theirs));
        eventually(() -> assertThat(waitsForAMessage()).isTrue());
        waiting.get().interrupt();
        eventually(() ->
                assertThat(waiting.get().isInterrupted()).as("flag is taken").isFalse());
        theirs.unlock();
        assertThat(Futures.get(theirWaiter)).as("flag after their lock()").isFalse();

        ours.lock();
        Future<Boolean> ourWaiter = background.submit(waits(ours));
        eventually(() -> assertThat(client.inspect("ours").localWaiters()).isEqualTo(1));
        waiting.get().interrupt();
        ours.unlock();
        assertThat(Futures.get(ourWaiter)).as("flag after our lock()").isTrue();
    }

    private final AtomicReference<Thread> waiting = new AtomicReference<>();

    /** Redisson's waiters wait for messages at a semaphore, and for answers elsewhere. */
    private boolean waitsForAMessage() {
        Thread thread = waiting.get();
        return thread != null
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Semaphore.class.getName()));
    }

    /** Takes and releases a lock, and tells whether the thread is interrupted then. */
    private Callable<Boolean> waits(java.util.concurrent.locks.Lock lock) {
        return () -> {
            waiting.set(Thread.currentThread());
            lock.lock();
            lock.unlock();
            return Thread.interrupted();
        };
    }

    @Test
    void orderOfAMultiLock() throws Exception {
        redisson.getLock("b").lock();
        org.redisson.api.RLock theirBoth = redisson.getMultiLock(redisson.getLock("c"), redisson.getLock("b"));
        Future<Boolean> theirWaiter = background.submit(() -> theirBoth.tryLock(1, 10, SECONDS));
        eventually(() -> assertThat(redisson.getLock("c").isLocked()).isTrue());
        assertThat(Futures.get(theirWaiter)).isFalse();

        RLock ourBoth = MultiLock.of(client.getLock("c"), client.getLock("b"));
        Future<Boolean> ourWaiter = background.submit(() -> ourBoth.tryLock(1, 10, SECONDS));
        eventually(() -> assertThat(client.inspect("b").localWaiters()).isEqualTo(1));
        assertThat(client.getLock("c").isLocked()).isFalse();
        assertThat(Futures.get(ourWaiter)).isFalse();
        redisson.getLock("b").unlock();
    }

    // --- tokens ---

    @Test
    void tokensAreNotConsecutiveAndStayOnReentry() {
        org.redisson.api.RFencedLock theirFenced = redisson.getFencedLock("theirs");
        long their = theirFenced.lockAndGetToken();
        assertThat(theirFenced.lockAndGetToken()).isEqualTo(their + 1);
        theirFenced.unlock();
        theirFenced.unlock();

        RFencedLock ourFenced = client.getFencedLock("ours");
        long token = ourFenced.lockAndGetToken();
        assertThat(ourFenced.lockAndGetToken()).isEqualTo(token);
        ourFenced.unlock();
        ourFenced.unlock();
        assertThat(ourFenced.lockAndGetToken()).isGreaterThan(token + 1);
        ourFenced.unlock();
    }

    @Test
    void theTokenOfAThreadThatHoldsNothing() {
        org.redisson.api.RFencedLock theirFenced = redisson.getFencedLock("theirs");
        long token = theirFenced.lockAndGetToken();
        assertThat(Futures.get(background.submit(theirFenced::getToken)))
                .as("another owner's")
                .isEqualTo(token);
        theirFenced.unlock();

        RFencedLock ourFenced = client.getFencedLock("ours");
        ourFenced.lock();
        assertThatThrownBy(() -> Futures.get(background.submit(ourFenced::getToken)))
                .isInstanceOf(LockNotHeldException.class);
        ourFenced.unlock();
    }

    @Test
    void tryLockAndGetTokenOfALockThatIsHeld() {
        org.redisson.api.RFencedLock theirFenced = redisson.getFencedLock("theirs");
        theirFenced.lock();
        Future<Long> asked = background.submit(() -> {
            long token = theirFenced.tryLockAndGetToken();
            theirFenced.unlock();
            return token;
        });
        eventually(() -> assertThat(channels()).as("it waits").isEqualTo(1));
        assertThat(asked).isNotDone();
        theirFenced.unlock();
        Futures.get(asked);

        RFencedLock ourFenced = client.getFencedLock("ours");
        ourFenced.lock();
        assertThat(Futures.get(background.submit(() -> String.valueOf(ourFenced.tryLockAndGetToken()))))
                .isEqualTo("null");
        ourFenced.unlock();
    }

    @Test
    void leasesOfFencedLocks() {
        org.redisson.api.RFencedLock theirFenced = redisson.getFencedLock("theirs");
        theirFenced.lockAndGetToken(2, SECONDS);
        assertThat(theirFenced.remainTimeToLive()).as("the watchdog's").isGreaterThan(20_000);
        theirFenced.unlock();

        RFencedLock ourFenced = client.getFencedLock("ours");
        ourFenced.lockAndGetToken(2, SECONDS);
        assertThat(ourFenced.remainTimeToLive()).isLessThanOrEqualTo(2_000);
        ourFenced.unlock();
    }

    // --- Redisson's other locks of the same name ---

    @ParameterizedTest
    @ValueSource(strings = {"spin", "fair"})
    @Tag("proof")
    void spinAndFairLocksExcludeAndWakeNobody(String kind) throws Exception {
        org.redisson.api.RLock other =
                kind.equals("spin") ? redisson.getSpinLock("ours") : redisson.getFairLock("ours");
        other.lock();
        assertThat(ours.tryLock()).isFalse();
        assertThat(Futures.get(background.submit(() -> redisson.getLock("ours").tryLock())))
                .isFalse();
        CompletableFuture<LockHold> waiter = ours.acquireAsync().toCompletableFuture();
        eventually(() -> assertThat(channels()).isEqualTo(1));
        other.unlock();
        assertThat(raw.list("KEYS", "ours")).isEmpty();
        assertThat(waiter).as("not told").isNotDone();
        Futures.get(waiter).close();

        ours.lock();
        assertThat(Futures.get(background.submit(() -> other.tryLock()))).isFalse();
        ours.unlock();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "write"})
    void readAndWriteLocksDoNotExclude(String kind) {
        org.redisson.api.RReadWriteLock pair = redisson.getReadWriteLock("ours");
        org.redisson.api.RLock other = kind.equals("read") ? pair.readLock() : pair.writeLock();
        org.redisson.api.RLock plain = redisson.getLock("ours");

        plain.lock();
        assertThat(Futures.get(background.submit(() -> other.tryLock())))
                .as("beside theirs")
                .isTrue();
        raw.command("FLUSHALL");
        ours.lock();
        assertThat(Futures.get(background.submit(() -> other.tryLock())))
                .as("beside ours")
                .isTrue();
        raw.command("FLUSHALL");
        assertThatThrownBy(ours::unlock).isInstanceOf(LockLostException.class);
    }

    // --- exceptions ---

    @Test
    void anErrorOfTheServer() {
        raw.command("SET", "wrong", "text");
        assertThatThrownBy(() -> redisson.getLock("wrong").tryLock())
                .isInstanceOf(RedisException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThatThrownBy(() -> client.getLock("wrong").tryLock())
                .isInstanceOfSatisfying(LockServerException.class, refused -> assertThat(refused.reason())
                        .isEqualTo(FailureReason.WRONGTYPE));
        raw.command("DEL", "wrong");
    }

    @Test
    void aServerThatDoesNotAnswer() {
        LockClient impatient = connect(ClientOptions.builder()
                .commandTimeout(Duration.ofMillis(300))
                .lockOptions(SHARED)
                .build());
        theirs.tryLock();
        impatient.getLock("ours").tryLock();
        redis.pause();
        try {
            assertThatThrownBy(() -> impatient.getLock("other").tryLock())
                    .isInstanceOf(LockOutcomeUnknownException.class);
            assertThatThrownBy(() -> redisson.getLock("another").tryLock()).isInstanceOf(RedisTimeoutException.class);
        } finally {
            redis.resume();
        }
        impatient.getLock("ours").unlock();
        theirs.unlock();
        eventually(() ->
                assertThat(client.getLock("other").isLocked()).as("undone").isFalse());
        eventually(() -> assertThat(redisson.getLock("another").isLocked())
                .as("left behind")
                .isTrue());
        raw.command("DEL", "another");
    }

    @Test
    void noConnection() {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:1").setRetryAttempts(0);
        assertThatThrownBy(() -> Redisson.create(config)).isInstanceOf(RedisConnectionException.class);
        ClientOptions impatient =
                ClientOptions.builder().connectTimeout(Duration.ofMillis(300)).build();
        assertThatThrownBy(() -> LockClient.connect("redis://127.0.0.1:1", impatient))
                .isInstanceOf(LockUnavailableException.class);
    }

    @Test
    void aClientThatWasClosed() {
        RedissonClient shutDown = connectRedisson(redis);
        shutDown.shutdown();
        assertThatThrownBy(() -> shutDown.getLock("theirs").tryLock()).isInstanceOf(RedissonShutdownException.class);

        LockClient closed = connectShared();
        closed.close();
        assertThatThrownBy(() -> closed.getLock("ours").tryLock()).isInstanceOf(LockClientClosedException.class);
    }

    // --- helpers ---

    private void elsewhere(Runnable call) throws Exception {
        outcome(background.submit(call));
    }

    private static <T> T outcome(Future<T> future) throws Exception {
        try {
            return future.get(20, SECONDS);
        } catch (java.util.concurrent.ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    private int channels() {
        return raw.list("PUBSUB", "CHANNELS", "redisson_lock__channel:*").size();
    }
}
