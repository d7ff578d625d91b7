package io.holdfast.lock.tests.soak;

import io.holdfast.lock.RFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for asynchronous calls. */
final class Calls {

    /** Longer than any call of the soak may take: its wait, its time-outs, an outage, and a JVM that was stopped. */
    static final long LONGEST_SECONDS = 60;

    private Calls() {}

    /** The result; a failure comes as the call meant it. An interrupt is not expected. */
    static <T> T await(RFuture<T> future) {
        try {
            return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(failed);
        } catch (TimeoutException never) {
            throw new IllegalStateException("a future that is not complete after " + LONGEST_SECONDS + " s", never);
        } catch (InterruptedException stray) {
            throw new IllegalStateException("interrupted by nobody", stray);
        }
    }
}
