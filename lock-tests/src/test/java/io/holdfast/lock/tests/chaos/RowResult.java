package io.holdfast.lock.tests.chaos;

import java.util.List;
import java.util.Locale;

/**
 * What became of a row.
 *
 * @param observed what was seen, in sentences
 * @param problems what must not have been seen
 */
record RowResult(
        Row row,
        Verdict verdict,
        double seconds,
        int grants,
        long lossesTold,
        List<String> observed,
        List<Seen.Problem> problems,
        List<Seen> entries,
        List<Hold> holds) {

    /** How it ended. */
    enum Verdict {
        PASSED,
        FAILED,
        SKIPPED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
