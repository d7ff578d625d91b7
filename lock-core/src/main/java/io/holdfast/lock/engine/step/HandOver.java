package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.Grant;

/** What a hand-over asks for. */
public final class HandOver {

    final byte[] to;
    final long leaseMillis;
    final boolean watched;
    final int tokens;

    /**
     * @param to the field that is to have the lock
     * @param leaseMillis what its hold is promised
     * @param watched whether the watchdog renews it
     * @param tokens how many are put by, for hand-overs of which the server is not asked; 1 for none
     */
    public HandOver(byte[] to, long leaseMillis, boolean watched, int tokens) {
        this.to = to;
        this.leaseMillis = leaseMillis;
        this.watched = watched;
        this.tokens = tokens;
    }

    /** Whether the lock is to be handed on from there without asking. */
    boolean goesOn() {
        return tokens > 1;
    }

    /** The lease to ask the server for. */
    public long askedMillis() {
        return goesOn() ? Grant.askedMillis(leaseMillis, watched) : leaseMillis;
    }
}
