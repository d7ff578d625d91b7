package io.holdfast.lock.testkit.console;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult.Status;

/** What is counted of a test class, in one line. */
final class ClassLine {
    private final String name;
    private final long startNanos;
    private int tests;
    private int failed;
    private int skipped;

    ClassLine(String name, long startNanos) {
        this.name = name;
        this.startNanos = startNanos;
    }

    /** A test ended, or a container of tests, which counts only if it failed. */
    void ended(boolean isTest, Status status) {
        if (isTest) {
            tests++;
        }
        if (status == Status.FAILED) {
            failed++;
        } else if (status == Status.ABORTED) {
            skipped++;
        }
    }

    void skipped() {
        skipped++;
    }

    String text(long nowNanos) {
        double seconds = (nowNanos - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        return String.format(Locale.ROOT, "%6.1f s %5d %-5s  %s", seconds, tests, tests == 1 ? "test" : "tests", name)
                + (skipped == 0 ? "" : ", " + skipped + " skipped")
                + (failed == 0 ? "" : ", " + failed + " FAILED");
    }
}
