package io.holdfast.lock.benchmarks.result;

import static io.holdfast.lock.benchmarks.peer.PeerKind.HOLDFAST;
import static io.holdfast.lock.benchmarks.peer.PeerKind.LETTUCE;
import static io.holdfast.lock.benchmarks.peer.PeerKind.REDISSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Medians, ranges and ratios of made figures. */
class StatisticsTest {

    @Test
    void theMedianIsTheMiddleOneOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 5.0))).isEqualTo(new Spread(5, 1, 9, 3));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(new Spread(3, 1, 100, 4));
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ratiosAreTakenBetweenNeighboursAndNotBetweenMedians() {
        // The machine was twice as slow in the second round, for both.
        WorkloadResult result = Made.result(
                "work",
                Metric.THROUGHPUT,
                Map.of(HOLDFAST, List.of(400.0, 200.0, 390.0), REDISSON, List.of(100.0, 50.0, 100.0)));
        assertThat(result.ratio(HOLDFAST, REDISSON, Metric.THROUGHPUT)).contains(new Spread(4, 3.9, 4, 3));
    }

    @Test
    void aPeerWithFewerRoundsIsComparedInThoseThatItHas() {
        WorkloadResult result =
                Made.result("work", Metric.MEDIAN, Map.of(HOLDFAST, List.of(1.0, 2.0, 3.0), REDISSON, List.of(10.0)));
        assertThat(result.ratio(HOLDFAST, REDISSON, Metric.MEDIAN)).contains(new Spread(0.1, 0.1, 0.1, 1));
        assertThat(result.ratio(HOLDFAST, LETTUCE, Metric.MEDIAN)).isEmpty();
        assertThat(result.ratio(HOLDFAST, REDISSON, Metric.HEAP)).isEmpty();
    }

    @Test
    void nothingIsDividedByZero() {
        WorkloadResult result =
                Made.result("work", Metric.MISSED, Map.of(HOLDFAST, List.of(0.0, 1.0), REDISSON, List.of(0.0, 2.0)));
        assertThat(result.ratio(HOLDFAST, REDISSON, Metric.MISSED)).contains(new Spread(0.5, 0.5, 0.5, 1));
    }

    @Test
    void latenciesAndFairnessFollowFromWhatWasRecorded() {
        Histogram nanos = new Histogram(3);
        for (int i = 1; i <= 100; i++) {
            nanos.recordValue(i * 1_000L);
        }
        Sample sample =
                Sample.builder().latency(nanos).served(new long[] {40, 10, 20}).build();
        assertThat(sample.value(Metric.MEDIAN)).hasValueCloseTo(50.0, offset(0.1));
        assertThat(sample.value(Metric.WORST)).hasValueCloseTo(100.0, offset(0.1));
        assertThat(sample.value(Metric.FAIRNESS)).hasValue(0.25);
        assertThat(sample.operations()).isEqualTo(100);
        assertThat(sample.value(Metric.THROUGHPUT)).isEmpty();
    }

    @Test
    void roundsAreAddedUpForCurvesAndShares() {
        WorkloadResult result = new WorkloadResult(About.of("work", "work", "text", Metric.THROUGHPUT));
        for (int round = 0; round < 2; round++) {
            Histogram nanos = new Histogram(100, 1_000_000_000, 3);
            nanos.recordValue(1_000);
            result.add(
                    HOLDFAST,
                    Sample.builder().latency(nanos).served(new long[] {1, 2}).build());
        }
        assertThat(result.latency(HOLDFAST).getTotalCount()).isEqualTo(2);
        assertThat(result.served(HOLDFAST)).containsExactly(2, 4);
    }
}
