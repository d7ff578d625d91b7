package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;

/**
 * The asynchronous twins of {@link LeaderElection}'s methods. Cancelling the future of a campaign ends it: a leadership that no
 * caller received is given up.
 */
public interface LeaderElectionAsync {

    /** As {@link LeaderElection#campaign(String, byte[])}. */
    RFuture<Leadership> campaignAsync(String id, byte[] value);

    /** As {@link LeaderElection#campaign(String, byte[], Duration)}. */
    RFuture<Optional<Leadership>> campaignAsync(String id, byte[] value, Duration wait);

    /** As {@link LeaderElection#leader()}. */
    RFuture<Optional<Leader>> leaderAsync();
}
