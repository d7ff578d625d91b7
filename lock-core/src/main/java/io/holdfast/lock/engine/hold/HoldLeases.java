package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.ServerRun;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one hold, one per store, and what follows from them: the hold is valid while a majority of the stores'
 * leases is. Over a single store the lease is all there is, so {@link StoreLease} is its own list.
 */
public interface HoldLeases {

    /** The smallest number of stores of which any two sets have one in common. */
    static int majority(int stores) {
        return stores / 2 + 1;
    }

    int size();

    /** One lease, in the order of the stores. */
    StoreLease get(int index);

    default StoreLease at(Store store) {
        return get(store.index());
    }

    boolean isQuorum();

    /** Until when the hold is valid; a time that has passed if a majority is gone. */
    long validUntilNanos(long now);

    /** Until when what was granted is valid, of which the hold may have a part. */
    default long grantedUntilNanos(long now) {
        return validUntilNanos(now);
    }

    /** Whether too few stores are left for the hold ever to be valid again, whatever their leases say. */
    boolean majorityIsGone();

    /** Whether fewer than a majority answered their latest renewal. */
    boolean areDoubtful(long now);

    /** What each store said, for reports. */
    String describe(long now);

    /** Whether the field may be at the store of one of them. */
    default boolean mayBeAt(StoreLease lease) {
        return !lease.isRefused();
    }

    /** Which server has taken the place of the one that knew the hold, in words; null for none, and for a quorum. */
    default @Nullable String replacement() {
        return null;
    }

    /** How often the lock was handed on since the server has said last that it knows the field. */
    default int unconfirmedHandOvers() {
        return 0;
    }

    /**
     * The stores do not know the field any more.
     *
     * @param detail when that was found out
     */
    default Gone gone(String detail) {
        int handedOn = unconfirmedHandOvers();
        String all = handedOn == 0
                ? detail
                : detail + "; the lock was handed on " + handedOn + " times since the server last said that it knew it";
        String replacement = replacement();
        return replacement == null
                ? new Gone(LossReason.KEY_GONE, all)
                : new Gone(LossReason.FAILED_OVER, all + "; " + replacement);
    }

    /** For how long a store may keep the field behind the end of their hold, as others of a grant were promised it. */
    default long keptBeyondNanos() {
        return 0;
    }

    // --- what the leases are told ---

    /** An earlier request under the same field has no answer. Each round over several stores has a field of its own. */
    default void askedBefore() {}

    /** They make a hold that has begun. Within the cell's gate. */
    default void begun(Hold hold) {}

    /** A store has raised the lease of their hold. Any thread. */
    default void raised(long sentNanos, long leaseMillis) {}

    /** Their hold has ended. Within the cell's gate. */
    default void ended() {}

    /**
     * A store has said that the field is there. Any thread.
     *
     * @param sentNanos when it was asked
     */
    default void confirmed(StoreLease lease, ServerRun run, long sentNanos) {}

    /**
     * A store does not know the field any more. Any thread.
     *
     * @param wasValid whether the lease had time left there
     */
    default void forgotten(StoreLease lease, ServerRun run, boolean wasValid) {}
}
