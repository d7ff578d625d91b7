package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Interruptible;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An interrupt at each stage of a call: the exception or the flag, never both lost, and nothing left behind. */
class InterruptedCallTest extends ServerTest {

    /** Calls that an interrupt ends. */
    enum Call {
        LOCK_INTERRUPTIBLY {
            @Override
            void run(RLock lock) throws InterruptedException {
                lock.lockInterruptibly();
            }
        },
        LOCK_INTERRUPTIBLY_WITH_LEASE {
            @Override
            void run(RLock lock) throws InterruptedException {
                lock.lockInterruptibly(20, TimeUnit.SECONDS);
            }
        },
        TRY_LOCK {
            @Override
            void run(RLock lock) throws InterruptedException {
                lock.tryLock(20, TimeUnit.SECONDS);
            }
        },
        TRY_LOCK_WITH_LEASE {
            @Override
            void run(RLock lock) throws InterruptedException {
                lock.tryLock(20, 20, TimeUnit.SECONDS);
            }
        },
        ACQUIRE {
            @Override
            void run(RLock lock) throws InterruptedException {
                lock.acquire();
            }
        },
        TRY_ACQUIRE {
            @Override
            void run(RLock lock) throws InterruptedException {
                lock.tryAcquire(Duration.ofSeconds(20));
            }
        };

        abstract void run(RLock lock) throws InterruptedException;
    }

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connectClient() {
        client = connect();
        lock = client.getLock("interrupted");
    }

    /** Defect 1 of the peer: the exception came, and the lock was taken and renewed for ever. */
    @ParameterizedTest
    @EnumSource(Call.class)
    void interruptedOnEntryItThrowsAndSendsNothing(Call call) {
        long before = scripts();
        Interruptible thread = Interruptible.start(() -> {
            Thread.currentThread().interrupt();
            call.run(lock);
        });
        thread.awaitInterrupted();
        assertThat(scripts()).isEqualTo(before);
        assertThat(lockKeys()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void interruptedWhileParkedItThrowsAndLeavesTheQueue(Call call) throws Exception {
        try (LockHold held = lock.acquire()) {
            Interruptible thread = Interruptible.start(() -> call.run(lock));
            eventually(() -> assertThat(waiters()).isEqualTo(1));
            thread.interrupt();
            thread.awaitInterrupted();
            eventually(() -> assertThat(waiters()).isZero());
            assertThat(held.fencingToken()).isPositive();
        }
    }

    /** Awaiting the reply: the server is made to keep it back. */
    @ParameterizedTest
    @EnumSource(Call.class)
    void interruptedDuringTheReplyItThrowsAndGivesALateGrantBack(Call call) {
        lock.isLocked();
        redis.pause();
        Interruptible thread = Interruptible.start(() -> call.run(lock));
        thread.awaitParked();
        thread.interrupt();
        thread.awaitInterrupted();
        redis.resume();
        assertThat(lock.tryLock())
                .as("its undo is ahead of whatever comes next")
                .isTrue();
        lock.unlock();
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** Around SUBSCRIBE: the refusal has come, and the confirmation may have or not. */
    @RepeatedTest(20)
    void interruptedAroundTheSubscriptionItThrowsAndUnsubscribes() throws Exception {
        LockClient other = connect();
        try (LockHold held = other.getLock("interrupted").acquire()) {
            long before = scripts();
            Interruptible thread = Interruptible.start(() -> lock.lockInterruptibly());
            while (scripts() == before) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            thread.awaitInterrupted();
            eventually(() -> assertThat(raw.list("PUBSUB", "CHANNELS")).isEmpty());
            assertThat(held.fencingToken()).isPositive();
        }
    }

    /** The grant and the interrupt race: either the call throws and nothing is held, or it returns and the flag is kept. */
    @RepeatedTest(50)
    void interruptedWhenJustGrantedItEitherThrowsOrHolds() throws Exception {
        LockHold held = lock.acquire();
        Interruptible thread = Interruptible.start(() -> {
            lock.lockInterruptibly();
            boolean flag = Thread.interrupted();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            lock.unlock();
            if (flag) {
                throw new InterruptedException("the flag was kept");
            }
        });
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        held.releaseAsync();
        thread.interrupt();
        thread.awaitEnd();
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** Defect 18 of the peer: the flag was lost, and a second interrupt threw IllegalStateException. */
    @Test
    void lockIsNotEndedByInterruptsAndKeepsTheFlag() throws Exception {
        LockHold held = lock.acquire();
        Interruptible thread = Interruptible.start(() -> {
            lock.lock();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            lock.unlock();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        for (int i = 0; i < 3; i++) {
            thread.interrupt();
            thread.awaitParked();
        }
        assertThat(waiters()).isEqualTo(1);
        held.close();
        thread.awaitEnd();
    }

    @Test
    void lockAndUnlockWorkForAThreadThatWasInterruptedBefore() {
        Interruptible thread = Interruptible.start(() -> {
            Thread.currentThread().interrupt();
            lock.lock();
            lock.lock();
            assertThat(lock.tryLock()).isTrue();
            assertThat(lock.getHoldCount()).isEqualTo(3);
            lock.unlock();
            lock.unlock();
            lock.unlock();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        thread.awaitEnd();
    }

    @Test
    void unlockIsNotEndedByAnInterrupt() {
        lock.isLocked();
        Interruptible thread = Interruptible.start(() -> {
            lock.lock();
            redis.pause();
            try {
                Thread.currentThread().interrupt();
                new Thread(redis::resume).start();
                lock.unlock();
            } finally {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            }
        });
        thread.awaitEnd();
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void anInterruptedWaiterDoesNotHoldUpThoseBehindIt() throws Exception {
        LockHold held = lock.acquire();
        Interruptible first = Interruptible.start(() -> lock.lockInterruptibly());
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        Interruptible second = Interruptible.start(() -> {
            lock.lockInterruptibly();
            lock.unlock();
        });
        eventually(() -> assertThat(waiters()).isEqualTo(2));
        first.interrupt();
        first.awaitInterrupted();
        held.close();
        second.awaitEnd();
        assertThat(List.copyOf(lockKeys())).isEmpty();
    }

    private int waiters() {
        return client.inspect("interrupted").localWaiters();
    }
}
