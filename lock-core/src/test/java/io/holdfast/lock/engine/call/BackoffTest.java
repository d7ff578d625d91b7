package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ManualRuntime;
import io.holdfast.lock.spi.Fault.Kind;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Pauses between failures. */
class BackoffTest {
    private final ManualRuntime runtime = new ManualRuntime(1);

    @Test
    void aPauseIsFromHalfToOneAndAHalfOfItsBaseAndTheBaseDoubles() {
        for (int failures = 0; failures <= 6; failures++) {
            assertPause(failures, 20L << failures);
        }
    }

    @Test
    void aPauseStopsGrowing() {
        assertPause(7, 1_280);
        assertPause(64, 1_280);
        assertPause(Integer.MAX_VALUE, 1_280);
    }

    @Test
    void pausesStayShortWhileAPrimaryMayBeReplaced() {
        assertThat(longestMillis(Kind.CLUSTERDOWN, false)).isBetween(160L, 240L);
        assertThat(longestMillis(Kind.UNREACHABLE, true)).isBetween(160L, 240L);
        assertThat(longestMillis(Kind.UNREACHABLE, false)).isGreaterThan(1_280);
        assertThat(longestMillis(Kind.NO_ANSWER, true)).isGreaterThan(1_280);
    }

    private long longestMillis(Kind met, boolean mayFailOver) {
        return LongStream.range(0, 1_000)
                .map(i -> TimeUnit.NANOSECONDS.toMillis(Backoff.nanos(64, met, mayFailOver, runtime)))
                .max()
                .orElseThrow();
    }

    @Test
    void pausesDiffer() {
        assertThat(Backoff.nanos(3, runtime)).isNotEqualTo(Backoff.nanos(3, runtime));
    }

    private void assertPause(int failures, long baseMillis) {
        long base = TimeUnit.MILLISECONDS.toNanos(baseMillis);
        for (int i = 0; i < 1_000; i++) {
            assertThat(Backoff.nanos(failures, runtime)).isBetween(base / 2, base / 2 + base - 1);
        }
    }
}
