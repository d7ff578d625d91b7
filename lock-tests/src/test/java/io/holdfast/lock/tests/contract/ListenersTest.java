package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Recorder;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener hears of a lock; and that several each hear everything, whatever another does. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListenersTest extends ServerTest {

    /** A hold that lasts longer is really released, so that other processes get their turn. */
    private static final Duration LONGEST_RUN = Duration.ofMillis(510);

    /** Hears of no grant before it may go on. */
    private static final class Slow extends Recorder {

        private final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public void acquired(LockEvent event) {
            Futures.await(goOn);
            super.acquired(event);
        }
    }

    private final Recorder first = new Recorder();
    private final Recorder second = new Recorder();
    private final Slow slow = new Slow();

    @Test
    void aListenerHearsTheLifeOfAHoldInOrder() throws Exception {
        LockClient client = connect();
        RLock lock = client.getLock(
                "heard",
                LockOptions.builder()
                        .listener(first)
                        .watchdogLease(Duration.ofMillis(600))
                        .build());
        LockHold hold = lock.acquire();
        long start = System.nanoTime();
        eventually(() -> assertThat(first.renewed()).isNotEmpty());
        assertThat(lock.tryLock()).isFalse();
        RFuture<LockHold> waiting = lock.acquireAsync();
        eventually(() -> assertThat(client.inspect("heard").localWaiters()).isEqualTo(1));
        eventually(() -> assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(LONGEST_RUN));
        hold.close();
        Futures.get(waiting).close();
        LockHold third = lock.acquire();
        lock.forceUnlock();
        eventually(() -> assertThat(first.lost()).isNotEmpty());
        assertThatThrownBy(third::close).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(first.heard().stream().filter(what -> !what.startsWith("renew")))
                .containsExactly("acquired", "refused", "released", "acquired", "released", "acquired", "lost FORCED");
    }

    /** Only a short hold is handed over, so the test tries until one was short enough. */
    @Test
    void aListenerHearsOfAHandOver() {
        RLock lock = lock(first);
        eventually(() -> {
            RFuture<LockHold> held = lock.acquireAsync();
            RFuture<LockHold> waiting = lock.acquireAsync();
            Futures.get(held).close();
            Futures.get(waiting).close();
            assertThat(first.heard()).contains("transferred");
        });
    }

    @Test
    void eachHearsEverythingInOrder() {
        RLock lock = lock(LockListener.of(first, second));
        for (int i = 0; i < 50; i++) {
            lock.lock();
            lock.unlock();
        }
        for (Recorder each : List.of(first, second)) {
            eventually(() -> assertThat(each.heard()).hasSize(100));
            for (int i = 0; i < 100; i++) {
                assertThat(each.heard().get(i)).isEqualTo(i % 2 == 0 ? "acquired" : "released");
            }
        }
    }

    @Test
    void eachHearsOfALoss() {
        RLock lock = lock(LockListener.of(first, second));
        lock.lock();
        lock.forceUnlock();
        for (Recorder each : List.of(first, second)) {
            eventually(() -> assertThat(each.heard()).containsExactly("acquired", "lost FORCED"));
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void oneThatFailsDisturbsNeitherTheLockNorAnother() {
        LockListener failing = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                throw new IllegalStateException("a bug of the application");
            }
        };
        for (LockListener listener : List.of(failing, LockListener.of(failing, first))) {
            RLock lock = lock(listener);
            for (int i = 0; i < 10; i++) {
                lock.lock();
                lock.unlock();
            }
            assertThat(lock.isLocked()).isFalse();
        }
        eventually(
                () -> assertThat(String.join(", ", first.heard()) + ", ").isEqualTo("acquired, released, ".repeat(10)));
    }

    /** What a listener calls equal is code of users: a caller may ask it, and no step does. */
    @Test
    void oneThatIsComparedOnItsCallersThreadOnlyDisturbsNoLock() throws Exception {
        Thread caller = Thread.currentThread();
        class Unequal extends Recorder {
            @Override
            public boolean equals(Object other) {
                assertThat(Thread.currentThread()).isSameAs(caller);
                return this == other;
            }

            @Override
            public int hashCode() {
                assertThat(Thread.currentThread()).isSameAs(caller);
                return System.identityHashCode(this);
            }
        }
        LockClient client = connect(ClientOptions.defaults());
        for (int i = 0; i < 3; i++) {
            Unequal unequal = new Unequal();
            RLock lock = client.getLock(
                    "heard", LockOptions.builder().listener(unequal).build());
            LockHold hold = lock.acquire();
            hold.close();
            eventually(() -> assertThat(unequal.heard()).containsExactly("acquired", "released"));
        }
    }

    @Test
    void oneThatBlocksDisturbsNoOther() {
        RLock lock = lock(LockListener.of(slow, first));
        lock.lock();
        lock.unlock();
        eventually(() -> assertThat(first.heard()).containsExactly("acquired", "released"));
        assertThat(slow.heard()).isEmpty();
        slow.goOn.countDown();
        eventually(() -> assertThat(slow.heard()).containsExactly("acquired", "released"));
    }

    /** Of the same listener even: its methods run one at a time, but a loss does not wait for that. */
    @Test
    void aListenerThatBlocksKeepsBackNoLoss() {
        RLock lock = lock(slow);
        Futures.get(lock.acquireAsync());
        lock.forceUnlock();
        eventually(() -> assertThat(slow.heard()).containsExactly("lost FORCED"));
        slow.goOn.countDown();
    }

    @Test
    void aListenerOfOneLockDoesNotWaitForThatOfAnother() {
        LockClient client = connect();
        RLock blocked =
                client.getLock("slow", LockOptions.builder().listener(slow).build());
        RLock lock =
                client.getLock("heard", LockOptions.builder().listener(first).build());
        blocked.lock();
        blocked.unlock();
        lock.lock();
        lock.unlock();
        eventually(() -> assertThat(first.heard()).containsExactly("acquired", "released"));
        slow.goOn.countDown();
    }

    private RLock lock(LockListener listener) {
        LockOptions options = LockOptions.builder().listener(listener).build();
        return connect(ClientOptions.builder().lockOptions(options).build()).getLock("heard");
    }
}
