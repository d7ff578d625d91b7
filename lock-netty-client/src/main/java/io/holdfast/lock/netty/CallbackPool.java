package io.holdfast.lock.netty;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
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
        Crew crew = new Crew(threadNamePrefix);
        return new ForkJoinPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                crew,
                crew,
                true,
                0,
                MOST_THREADS,
                1,
                crew,
                IDLE_SECONDS,
                TimeUnit.SECONDS);
    }

    /** All that the pool asks for: threads, somebody who hears of failures, and whether it may go on without more. */
    private static final class Crew
            implements ForkJoinWorkerThreadFactory, UncaughtExceptionHandler, Predicate<ForkJoinPool> {

        private final String threadNamePrefix;
        private final AtomicInteger made = new AtomicInteger();

        Crew(String threadNamePrefix) {
            this.threadNamePrefix = threadNamePrefix;
        }

        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            return new CallbackThread(pool, threadNamePrefix + made.incrementAndGet());
        }

        @Override
        public void uncaughtException(Thread thread, Throwable bug) {
            log.error("A callback failed on {}", thread.getName(), bug);
        }

        @Override
        public boolean test(ForkJoinPool saturated) {
            return true;
        }
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
