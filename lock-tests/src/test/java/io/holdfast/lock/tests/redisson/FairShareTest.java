package io.holdfast.lock.tests.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.support.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock that both kinds of client want all the time goes to either often enough (rule 30). */
@Tag("proof")
class FairShareTest extends SideBySide {

    private static final int THREADS = 4;
    private static final int GRANTS = 600;
    private static final long INSIDE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int OURS = 0;
    private static final int THEIRS = 1;

    private final AtomicInteger left = new AtomicInteger(GRANTS);
    private final AtomicIntegerArray grants = new AtomicIntegerArray(2);

    @Test
    void eitherKindHasThreeTenthsOfAHotLock() {
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            done.add(background.submit(() -> use(client.getLock("hot"), OURS)));
            done.add(background.submit(() -> use(redisson.getLock("hot"), THEIRS)));
        }
        done.forEach(Futures::get);
        assertThat(grants.get(THEIRS)).as("of %d grants to theirs", GRANTS).isBetween(GRANTS * 3 / 10, GRANTS * 7 / 10);
    }

    private void use(Lock lock, int kind) {
        while (true) {
            lock.lock();
            try {
                if (left.getAndDecrement() <= 0) {
                    return;
                }
                grants.incrementAndGet(kind);
                LockSupport.parkNanos(INSIDE_NANOS);
            } finally {
                lock.unlock();
            }
        }
    }
}
