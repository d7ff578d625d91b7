package io.holdfast.lock.engine.election;

import io.holdfast.lock.Leader;
import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.spi.Reply;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a look has seen of an election.
 *
 * @param timeToLiveMillis of the lock; negative if it has none, or is not held
 * @param version of the leader's value; 0 if none leads
 */
record Sight(long timeToLiveMillis, Optional<Leader> leader, long version) {

    /** A record that does not count is not in the answer. */
    static Sight of(Reply reply) {
        if (reply.size() == 2) {
            return new Sight(reply.integer(1), Optional.empty(), 0);
        }
        String id = Objects.requireNonNull(reply.text(3));
        return new Sight(
                reply.integer(1),
                Optional.of(new Leader(id, reply.get(4).bytes(), reply.integer(0))),
                reply.integer(2));
    }

    /**
     * Who leads, by what nodes of a quorum say (rule 66): the candidate of the term that a majority tells of, with the newest of the values that
     * it tells, for as long as that majority's leases last; or none, where no term can have a majority, whatever the others would say.
     *
     * @param seen what those say that have answered
     * @param nodes how many nodes there are
     * @return empty if that does not decide it
     */
    static Optional<Sight> agreed(Collection<Sight> seen, int nodes) {
        int majority = HoldLeases.majority(nodes);
        int most = 0;
        for (Sight candidate : seen) {
            List<Sight> same = seen.stream().filter(candidate::isOfSameTerm).toList();
            most = Math.max(most, same.size());
            if (same.size() >= majority) {
                Sight newest = Collections.max(same, Comparator.comparingLong(Sight::version));
                return Optional.of(new Sight(agreedMillis(same, majority), newest.leader, newest.version));
            }
        }
        boolean isOpen = most + nodes - seen.size() >= majority;
        return isOpen ? Optional.empty() : Optional.of(new Sight(-1, Optional.empty(), 0));
    }

    private boolean isOfSameTerm(Sight other) {
        return leader.isPresent()
                && other.leader.isPresent()
                && leader.get().term() == other.leader.get().term();
    }

    /** The majority-th largest. */
    private static long agreedMillis(List<Sight> same, int majority) {
        long[] left = same.stream()
                .mapToLong(sight -> sight.timeToLiveMillis < 0 ? Long.MAX_VALUE : sight.timeToLiveMillis)
                .sorted()
                .toArray();
        long agreedMillis = left[left.length - majority];
        return agreedMillis == Long.MAX_VALUE ? -1 : agreedMillis;
    }
}
