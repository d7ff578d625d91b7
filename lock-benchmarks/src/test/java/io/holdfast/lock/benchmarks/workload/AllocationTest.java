package io.holdfast.lock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.benchmarks.result.Metric;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a lock and unlock allocates in steady state, in all threads of the process. Unlike times this is free of noise,
 * once the compiler has done its work; how long that takes is not known, so rounds are repeated until one is below the
 * bound. They grow longer: on a busy machine a round has fewer locks, beside which what the bench and idle threads allocate
 * is not nothing.
 */
@Tag("once")
@Tag("proof")
@Tag("quiet")
class AllocationTest {

    /** Lower it when less is reached; never raise it. */
    static final double MOST_BYTES = 1_024;

    private static final int MOST_ROUNDS = 20;
    /** Of the first round; after every five they grow by as much. */
    private static final long ROUND_MILLIS = 2_000;

    @ParameterizedTest
    @ValueSource(strings = {"uncontended-lease", "uncontended-watchdog"})
    void isBounded(String name) {
        assertThat(least(name, PeerKind.HOLDFAST, MOST_BYTES)).isLessThan(MOST_BYTES);
    }

    /** The flight recorder is there in each of these runs; here it has been set up, and nothing is recorded any more. */
    @Test
    void aFlightRecordingThatHasEndedCostsNothing() {
        try (Recording recording = new Recording()) {
            recording.start();
            least("uncontended-lease", PeerKind.HOLDFAST, Double.MAX_VALUE);
            recording.stop();
        }
        assertThat(least("uncontended-lease", PeerKind.HOLDFAST, MOST_BYTES)).isLessThan(MOST_BYTES);
    }

    @Test
    void isSeenWhereItIsKnown() {
        // The bare socket makes a field of 60 characters for each lock and a few arrays: not nothing, and not much.
        assertThat(least("uncontended-lease", PeerKind.SOCKET, 600)).isBetween(100.0, 600.0);
    }

    private static double least(String name, PeerKind peer, double enough) {
        Workload workload = Workloads.all(Effort.moment()).stream()
                .filter(each -> each.about().name().equals(name))
                .findFirst()
                .orElseThrow();
        double least = Double.MAX_VALUE;
        try (Bench bench = new Bench(Effort.moment(), Transport.DEFAULT);
                Workload.Session session = workload.open(bench)) {
            for (int round = 0; round < MOST_ROUNDS && least >= enough; round++) {
                least = Math.min(
                        least,
                        session.round(peer, new Round(round, ROUND_MILLIS * (1 + round / 5), false))
                                .value(Metric.ALLOCATED)
                                .orElseThrow());
            }
        }
        return least;
    }
}
