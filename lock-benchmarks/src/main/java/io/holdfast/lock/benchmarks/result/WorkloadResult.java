package io.holdfast.lock.benchmarks.result;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** The rounds of all peers in one workload. */
public final class WorkloadResult {

    private final About about;
    private final Map<PeerKind, List<Sample>> samples = new EnumMap<>(PeerKind.class);

    public WorkloadResult(About about) {
        this.about = about;
    }

    public About about() {
        return about;
    }

    /** Adds the next round of a peer. */
    public void add(PeerKind peer, Sample sample) {
        samples.computeIfAbsent(peer, kind -> new ArrayList<>()).add(sample);
    }

    /** Adds a value that was measured once to all rounds of a peer. */
    public void addToAll(PeerKind peer, Metric metric, double value) {
        samples.computeIfPresent(peer, (kind, rounds) -> {
            rounds.replaceAll(sample -> sample.with(metric, value));
            return rounds;
        });
    }

    public List<PeerKind> peers() {
        return List.copyOf(samples.keySet());
    }

    public List<Sample> samples(PeerKind peer) {
        return List.copyOf(samples.getOrDefault(peer, List.of()));
    }

    /** A peer's figure over the rounds, if it has it. */
    public Optional<Spread> spread(PeerKind peer, Metric metric) {
        List<Double> values = samples(peer).stream()
                .map(sample -> sample.value(metric))
                .filter(OptionalDouble::isPresent)
                .map(OptionalDouble::getAsDouble)
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /**
     * One peer's figure divided by another's. It is computed round by round, between neighbours, so that what else the
     * machine did touches both; then the median and the range of these ratios are taken.
     */
    public Optional<Spread> ratio(PeerKind peer, PeerKind other, Metric metric) {
        List<Sample> ours = samples(peer);
        List<Sample> theirs = samples(other);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(ours.size(), theirs.size()); round++) {
            OptionalDouble one = ours.get(round).value(metric);
            OptionalDouble two = theirs.get(round).value(metric);
            if (one.isPresent() && two.isPresent() && two.getAsDouble() != 0) {
                ratios.add(one.getAsDouble() / two.getAsDouble());
            }
        }
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
    }

    /** The times of all rounds of a peer together. */
    public Histogram latency(PeerKind peer) {
        Histogram all = new Histogram(3);
        all.setAutoResize(true);
        samples(peer).forEach(sample -> all.add(sample.latency()));
        return all;
    }

    /** What each party was served in all rounds together. */
    public long[] served(PeerKind peer) {
        long[] all = {};
        for (Sample sample : samples(peer)) {
            long[] round = sample.served();
            if (all.length == 0) {
                all = new long[round.length];
            }
            for (int party = 0; party < Math.min(all.length, round.length); party++) {
                all[party] += round[party];
            }
        }
        return all;
    }

    /** The first round in which turns were kept. */
    public List<Turn> turns(PeerKind peer) {
        return samples(peer).stream()
                .map(Sample::turns)
                .filter(turns -> !turns.isEmpty())
                .findFirst()
                .orElse(List.of());
    }
}
