package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one Sentinel said in one round.
 *
 * @param node the Sentinel's address, as faults and log lines name it
 * @param id the Sentinel's own id; its address if it does not tell
 * @param word the primary that it names; null if it knows none of this name, or its two answers differ
 * @param knowsNone whether it knows no primary of this name
 * @param others the Sentinels that it knows besides itself
 * @param otherCount how many it says that these are; {@link #UNTOLD} if it does not
 * @param runId the id of the server process that it has found at the primary's address; empty if it has found none yet
 */
record Testimony(
        String node,
        String id,
        @Nullable Word word,
        boolean knowsNone,
        List<Other> others,
        int otherCount,
        String runId) {

    static final int UNTOLD = -1;

    /** Whether it has said who it is. */
    boolean tellsId() {
        return !id.equals(node);
    }

    /**
     * Another Sentinel.
     *
     * @param id its own id; empty if it is not told
     */
    record Other(String id, Target.Host address) {}

    /** One vote. A Sentinel that says another one's id has its own vote, unless both say the same. */
    record Voice(String id, @Nullable Word word, boolean knowsNone) {}

    Voice voice() {
        return new Voice(id, word, knowsNone);
    }

    /**
     * A primary, and the epoch in which it became that.
     *
     * @param primary as it is announced
     */
    record Word(Target.Host primary, long epoch) {

        /** By hand, like the next: on JDK 17 the generated one keeps this class, and so its loader, alive for ever. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Word that && epoch == that.epoch && primary.equals(that.primary);
        }

        @Override
        public int hashCode() {
            return 31 * primary.hashCode() + Long.hashCode(epoch);
        }
    }
}
