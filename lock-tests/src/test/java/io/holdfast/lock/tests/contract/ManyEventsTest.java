package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Very many events of 16 threads, and a listener that counts them. */
@Tag("proof")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyEventsTest extends ServerTest {

    private static final int THREADS = 16;

    private final AtomicLong acquired = new AtomicLong();
    private final AtomicLong released = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();

    private final LockListener counter = new LockListener() {
        @Override
        public void acquired(LockEvent event) {
            acquired.incrementAndGet();
        }

        @Override
        public void released(LockEvent event) {
            released.incrementAndGet();
        }

        @Override
        public void missed(long events) {
            missed.addAndGet(events);
        }
    };

    @Test
    void noneIsMissed() throws Exception {
        noneIsMissedOf(100_000);
    }

    @Test
    @Tag("long")
    void noneOfAMillionIsMissed() throws Exception {
        noneIsMissedOf(1_000_000);
    }

    private void noneIsMissedOf(int events) throws Exception {
        int rounds = events / THREADS / 2;
        LockOptions options = LockOptions.builder().listener(counter).build();
        LockClient client = connect(ClientOptions.builder().lockOptions(options).build());
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            RLock lock = client.getLock("lock " + i);
            threads[i] = new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    lock.lock();
                    lock.unlock();
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        eventually(Duration.ofSeconds(30), () -> assertThat(acquired.get() + released.get() + missed.get())
                .isEqualTo(events));
        assertThat(missed).hasValue(0);
        assertThat(acquired).hasValue(events / 2);
    }
}
