package io.holdfast.lock.netty;

import io.holdfast.lock.spi.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the engine's timed steps on one thread, started with the first of them, asleep while none is due.
 *
 * <p>They do not run on the event loop, so that thousands of waiters' timers never delay a reply.
 */
final class TimerThread {

    private static final Logger log = LoggerFactory.getLogger(TimerThread.class);

    private final ServiceThreads threads;
    private final ScheduledThreadPoolExecutor executor;

    TimerThread(String name) {
        threads = new ServiceThreads(name + "-");
        executor = new ScheduledThreadPoolExecutor(1, threads, new ThreadPoolExecutor.DiscardPolicy());
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs a step after a delay; after {@link #close} steps are forgotten. */
    Timer after(long delayNanos, Runnable step) {
        ScheduledFuture<?> due = executor.schedule(() -> run(step), delayNanos, TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }

    CompletionStage<Void> close() {
        executor.shutdownNow();
        return threads.ended();
    }

    private static void run(Runnable step) {
        try {
            step.run();
        } catch (Throwable bug) {
            // No code reads the executor's future, so this is the only place where it can be seen.
            log.error("A timed step failed", bug);
        }
    }
}
