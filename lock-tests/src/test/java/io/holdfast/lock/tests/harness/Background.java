package io.holdfast.lock.tests.harness;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A call on a thread of its own: the way to have something blocked, interrupted or overtaken. */
public final class Background<T> {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "background");
        thread.setDaemon(true);
    }

    /** Work that has no result. */
    public interface Work {
        void run() throws Exception;
    }

    public static <T> Background<T> call(Callable<T> call) {
        Background<T> background = new Background<>(call);
        background.thread.start();
        return background;
    }

    public static Background<Boolean> run(Work work) {
        return call(() -> {
            work.run();
            return true;
        });
    }

    public Thread thread() {
        return thread;
    }

    public void interrupt() {
        thread.interrupt();
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Waits until the thread is parked, which in these tests means: until its call waits for an answer. */
    public Background<T> awaitParked() {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }

    /** The result; a failure of the call comes as it was thrown. */
    public T result() throws Exception {
        return result(PATIENCE);
    }

    public T result(Duration atMost) throws Exception {
        try {
            return task.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw failed;
        } catch (TimeoutException late) {
            AssertionError error = new AssertionError("no result within " + atMost);
            error.setStackTrace(thread.getStackTrace());
            throw error;
        }
    }
}
