package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.util.List;

/** A whole run. */
record Run(Choices choices, List<RowResult> results, double seconds) {

    long count(Verdict verdict) {
        return results.stream().filter(result -> result.verdict() == verdict).count();
    }

    int grants() {
        return results.stream().mapToInt(RowResult::grants).sum();
    }

    long lossesTold() {
        return results.stream().mapToLong(RowResult::lossesTold).sum();
    }
}
