package io.holdfast.lock.boot;

import io.holdfast.lock.QuorumOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A quorum: the options of {@link io.holdfast.lock.QuorumOptions}, each by its name.
 *
 * @param nodeTimeout how long one node may take to answer an acquisition
 * @param fencing whether tokens increase across any two majorities
 * @param restartGuard whether a restarted node that may have forgotten locks is left out for a while
 * @param longestLease how long a restarted node is left out
 * @param clockMargin how far ahead of its own clock a node accepts a proposed token
 */
record QuorumProperties(
        @Nullable Duration nodeTimeout,
        @Nullable Boolean fencing,
        @Nullable Boolean restartGuard,
        @Nullable Duration longestLease,
        @Nullable Duration clockMargin) {

    QuorumOptions options() {
        QuorumOptions.Builder options = QuorumOptions.builder();
        if (nodeTimeout != null) {
            options.nodeTimeout(nodeTimeout);
        }
        if (fencing != null) {
            options.fencing(fencing);
        }
        if (restartGuard != null) {
            options.restartGuard(restartGuard);
        }
        if (longestLease != null) {
            options.longestLease(longestLease);
        }
        if (clockMargin != null) {
            options.clockMargin(clockMargin);
        }
        return options.build();
    }
}
