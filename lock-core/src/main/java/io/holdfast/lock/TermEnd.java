package io.holdfast.lock;

/** How a term ended. */
public enum TermEnd {

    /** The leader gave it up: it resigned, or released or closed its leadership. */
    RESIGNED,

    /** The term had lasted as long as its {@linkplain LeaderElection#withTermLimit limit} allows, and the leader's client gave it up. */
    LIMIT_REACHED,

    /** It was lost, as any hold may be: {@link LockHold#onLost} says why. */
    LOST
}
