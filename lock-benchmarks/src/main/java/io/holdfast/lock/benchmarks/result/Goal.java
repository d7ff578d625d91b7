package io.holdfast.lock.benchmarks.result;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import java.util.List;
import java.util.Optional;

/**
 * Something that Holdfast is to reach.
 *
 * @param workload where it is measured
 * @param against the peer that is compared with, the first of these that was there; empty for a figure of Holdfast's own
 * @param limit the ratio, or the figure
 */
public record Goal(String workload, Metric metric, List<PeerKind> against, Bound bound, double limit) {

    /** Which side of the limit is the good one. */
    public enum Bound {
        AT_LEAST,
        AT_MOST
    }

    static Goal atLeast(double limit, String workload, Metric metric, PeerKind... against) {
        return new Goal(workload, metric, List.of(against), Bound.AT_LEAST, limit);
    }

    static Goal atMost(double limit, String workload, Metric metric, PeerKind... against) {
        return new Goal(workload, metric, List.of(against), Bound.AT_MOST, limit);
    }

    public boolean isRatio() {
        return !against.isEmpty();
    }

    /** Compares with what was measured; empty if the workload or the peer was not. */
    public Optional<Verdict> judge(List<WorkloadResult> results) {
        return results.stream()
                .filter(result -> result.about().name().equals(workload))
                .findFirst()
                .flatMap(this::judge);
    }

    private Optional<Verdict> judge(WorkloadResult result) {
        if (!isRatio()) {
            return result.spread(PeerKind.HOLDFAST, metric)
                    .map(spread -> new Verdict(this, result.about(), Optional.empty(), spread));
        }
        return against.stream().filter(result.peers()::contains).findFirst().flatMap(peer -> result.ratio(
                        PeerKind.HOLDFAST, peer, metric)
                .map(spread -> new Verdict(this, result.about(), Optional.of(peer), spread)));
    }
}
