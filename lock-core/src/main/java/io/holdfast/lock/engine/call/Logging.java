package io.holdfast.lock.engine.call;

/**
 * Lines for the log, written where a failure to write them must not matter. A logger runs code that is not ours, and
 * may throw anything; what stands behind the line has to be done anyway (rule 76).
 */
public final class Logging {

    private Logging() {}

    public static void attempt(Runnable line) {
        try {
            line.run();
        } catch (RuntimeException | Error broken) {
            // There is nothing left to tell it with.
        }
    }
}
