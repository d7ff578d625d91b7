package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Several listeners of one lock: each hears everything, whatever another does. */
class ListenersTest extends ServerTest {

    @Test
    void eachHearsEverythingInOrder() {
        Ear first = new Ear();
        Ear second = new Ear();
        RLock lock = lock(LockListener.of(first, second));
        for (int i = 0; i < 50; i++) {
            lock.lock();
            lock.unlock();
        }
        for (Ear ear : List.of(first, second)) {
            eventually(() -> assertThat(ear.heard).hasSize(100));
            for (int i = 0; i < 100; i++) {
                assertThat(ear.heard.get(i)).isEqualTo(i % 2 == 0 ? "acquired" : "released");
            }
        }
    }

    @Test
    void eachHearsOfALoss() {
        Ear first = new Ear();
        Ear second = new Ear();
        RLock lock = lock(LockListener.of(first, second));
        lock.lock();
        lock.forceUnlock();
        for (Ear ear : List.of(first, second)) {
            eventually(() -> assertThat(ear.heard).containsExactly("acquired", "lost FORCED"));
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void oneThatFailsDisturbsNoOther() {
        Ear other = new Ear();
        RLock lock = lock(LockListener.of(
                new LockListener() {
                    @Override
                    public void acquired(LockEvent event) {
                        throw new IllegalStateException("a bug of the application");
                    }
                },
                other));
        lock.lock();
        lock.unlock();
        eventually(() -> assertThat(other.heard).containsExactly("acquired", "released"));
    }

    @Test
    void oneThatBlocksDisturbsNoOther() {
        CountDownLatch goOn = new CountDownLatch(1);
        Ear slow = new Ear() {
            @Override
            public void acquired(LockEvent event) {
                await(goOn);
                super.acquired(event);
            }
        };
        Ear other = new Ear();
        RLock lock = lock(LockListener.of(slow, other));
        lock.lock();
        lock.unlock();
        eventually(() -> assertThat(other.heard).containsExactly("acquired", "released"));
        assertThat(slow.heard).isEmpty();
        goOn.countDown();
        eventually(() -> assertThat(slow.heard).containsExactly("acquired", "released"));
    }

    @Test
    void aListenerOfOneLockDoesNotWaitForThatOfAnother() {
        CountDownLatch goOn = new CountDownLatch(1);
        LockListener blocked = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                await(goOn);
            }
        };
        Ear ear = new Ear();
        LockClient client = connect();
        RLock slow =
                client.getLock("slow", LockOptions.builder().listener(blocked).build());
        RLock lock = client.getLock("heard", LockOptions.builder().listener(ear).build());
        slow.lock();
        slow.unlock();
        lock.lock();
        lock.unlock();
        eventually(() -> assertThat(ear.heard).containsExactly("acquired", "released"));
        goOn.countDown();
    }

    private RLock lock(LockListener listener) {
        LockOptions options = LockOptions.builder().listener(listener).build();
        return connect(ClientOptions.builder().lockOptions(options).build()).getLock("heard");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes down what it hears. */
    private static class Ear implements LockListener {

        final List<String> heard = new CopyOnWriteArrayList<>();

        @Override
        public void acquired(LockEvent event) {
            heard.add("acquired");
        }

        @Override
        public void released(LockEvent event) {
            heard.add("released");
        }

        @Override
        public void lost(LockEvent event) {
            heard.add("lost " + event.lossReason().map(LossReason::name).orElse(""));
        }
    }
}
