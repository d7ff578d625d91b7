package io.holdfast.lock.memory;

import io.holdfast.lock.text.Printable;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads for code of users, which may wait for anything: one for each task, {@value #MOST} at most. They come and go. */
final class CallbackThreads implements Executor {

    private static final Logger log = LoggerFactory.getLogger(CallbackThreads.class);
    private static final int MOST = 256;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;

    CallbackThreads(String namePrefix) {
        AtomicInteger made = new AtomicInteger();
        pool = new ThreadPoolExecutor(
                0,
                MOST,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> new CallbackThread(work, namePrefix + made.incrementAndGet()));
    }

    /** A task that finds all threads busy is refused: the engine brings it again. */
    @Override
    public void execute(Runnable task) {
        pool.execute(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error bug) {
                log.error(
                        "A callback failed on {}",
                        Printable.of(Thread.currentThread().getName()),
                        bug);
            }
        });
    }

    /** Whether the current thread may wait for others: not if it is one of these, and no other is left for what they need. */
    static boolean mayWaitForOthers() {
        return !(Thread.currentThread() instanceof CallbackThread callback) || callback.hasThreadsLeft();
    }

    /** Threads leave as soon as they have no task. Tasks that come now still run. */
    void close() {
        pool.setKeepAliveTime(0, TimeUnit.SECONDS);
    }

    private final class CallbackThread extends Thread {

        CallbackThread(Runnable work, String name) {
            super(work, name);
            setDaemon(true);
            setContextClassLoader(CallbackThreads.class.getClassLoader());
        }

        boolean hasThreadsLeft() {
            return pool.getActiveCount() < MOST;
        }
    }
}
