package io.holdfast.lock;

/** Why a hold was lost. */
public enum LossReason {
    /** A fixed lease ran out. */
    LEASE_EXPIRED,
    /** Renewals failed until the hold was no longer valid. */
    NOT_RENEWED,
    /** The server no longer knows this hold: it was evicted, deleted, forgotten in a restart, or taken over. */
    KEY_GONE,
    /**
     * Another server has become the primary, and its predecessor had not passed this hold on to it. In a cluster it is also told of a
     * hold that was deleted, or freed by force, before its slot was moved or just after: since the old primary last confirmed it.
     */
    FAILED_OVER,
    /** A client called {@code forceUnlock}. */
    FORCED,
    /** The hold reached the longest total time that the options allow. */
    MAX_HOLD,
    /** The client was closed. */
    CLIENT_CLOSED
}
