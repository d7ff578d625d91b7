package io.holdfast.lock.netty;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The default place for users' callbacks: daemon threads that come when there is work and leave when there is none.
 *
 * <p>A fork-join pool in async mode runs tasks in the order in which they came, and makes up for threads that wait
 * inside a callback, as the {@link ParkingBlocker} does: blocking calls in callbacks can't starve each other.
 */
final class CallbackPool {

    private static final Logger log = LoggerFactory.getLogger(CallbackPool.class);
    private static final int MOST_THREADS = 0x7fff;
    private static final long IDLE_SECONDS = 10;

    private CallbackPool() {}

    static ForkJoinPool create(String threadNamePrefix) {
        AtomicInteger made = new AtomicInteger();
        return new ForkJoinPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                pool -> new CallbackThread(pool, threadNamePrefix + made.incrementAndGet()),
                (thread, bug) -> log.error("A callback failed on {}", thread.getName(), bug),
                true,
                0,
                MOST_THREADS,
                1,
                pool -> true,
                IDLE_SECONDS,
                TimeUnit.SECONDS);
    }

    private static final class CallbackThread extends ForkJoinWorkerThread {

        CallbackThread(ForkJoinPool pool, String name) {
            super(pool);
            setName(name);
            setDaemon(true);
            setContextClassLoader(CallbackPool.class.getClassLoader());
        }
    }
}
