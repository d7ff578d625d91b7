package io.holdfast.lock.engine.election;

import io.holdfast.lock.Leader;
import io.holdfast.lock.spi.Reply;
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
}
