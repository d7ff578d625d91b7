package io.holdfast.lock.tests.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.evidence.Guarded;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads as owners; reached by reflection, because the tests are compiled for Java 17. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
class VirtualThreadsTest extends ServerTest {

    @Test
    void aThousandVirtualThreadsTakeTurns() throws Exception {
        RLock lock = connect().getLock("virtual");
        Guarded guarded = new Guarded();
        ExecutorService pool = onePerTask();
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                done.add(pool.submit(() -> {
                    assertThat(lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
                    lock.lock();
                    guarded.visit();
                    assertThat(lock.getHoldCount()).isEqualTo(2);
                    lock.unlock();
                    lock.unlock();
                    return null;
                }));
            }
            done.forEach(Futures::get);
        } finally {
            pool.shutdownNow();
        }
        assertThat(guarded.wrong()).isEmpty();
        assertThat(guarded.visits()).isEqualTo(1_000);
    }

    /** Waiting must not pin the few threads that carry the virtual ones: all wait, and others still run. */
    @Test
    void virtualThreadsThatWaitLeaveTheirCarriersToOthers() throws Exception {
        RLock lock = connect().getLock("virtual");
        ExecutorService pool = onePerTask();
        lock.lock();
        try {
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                waiting.add(pool.submit(() -> {
                    boolean granted = lock.tryLock(30, TimeUnit.SECONDS);
                    lock.unlock();
                    return granted;
                }));
            }
            assertThat(Futures.get(pool.submit(() -> "ran"))).isEqualTo("ran");
            lock.unlock();
            for (Future<Boolean> waiter : waiting) {
                assertThat(Futures.get(waiter)).isTrue();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static ExecutorService onePerTask() throws ReflectiveOperationException {
        Method factory = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        return (ExecutorService) factory.invoke(null);
    }
}
