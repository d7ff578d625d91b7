package io.holdfast.lock.tests.support;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for futures and latches, with the failure itself instead of a wrapper. */
public final class Futures {

    private static final long LONGEST_SECONDS = 60;

    private Futures() {}

    /** The result; a failure is thrown as it is. */
    public static <T> T get(Future<T> future) {
        try {
            return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw unwrapped(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } catch (TimeoutException tooLong) {
            throw new AssertionError(future + " is not done after " + LONGEST_SECONDS + " s", tooLong);
        }
    }

    /** Waits until the latch opens, or the thread is interrupted. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    static RuntimeException unwrapped(ExecutionException failed) {
        if (failed.getCause() instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (failed.getCause() instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(failed.getCause());
    }
}
