package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in a hold over a quorum: its present lease, and what is known of the field there.
 *
 * <p>A node that refused the hold, was away or has forgotten it may join it later, with a fresh lease (rule 73). The lease
 * before that stays as it ended: answers that come late are meant for it and count for nothing.
 */
final class Seat {

    final Store store;

    private volatile StoreLease lease;

    // Guarded by this seat's monitor: stores confirm and forget in steps of the watchdog and of the cell.

    /** The server process that has confirmed the lease last; empty before the first. */
    private String confirmedBy = "";

    private boolean barred;

    /** Whether the node had the field when it was last heard of, though its lease may be over. */
    private boolean hasField;

    /** When the latest of the requests was sent by whose answer the node has confirmed the field. */
    private long confirmedNanos;

    /** Whether the lease counts towards a majority. */
    private volatile boolean counts = true;

    // What follows belongs to the cell's steps.

    /** Undos of the field that the node has not confirmed. */
    private int undoing;

    /** When the node may be asked to join next. */
    long joinFromNanos;

    /** When the node has joined. */
    private long joinedNanos;

    /** Tells of releases at a node where another field had the lock; null while that is not awaited. */
    @Nullable
    Subscription releases;

    /** Whether a step of the hold did not reach the field: its count or lease may be an older one. */
    private boolean missed;

    private boolean catchingUp;

    Seat(Store store) {
        this.store = store;
        this.lease = StoreLease.asked(store);
    }

    StoreLease lease() {
        return lease;
    }

    // --- what the node says of the field ---

    /** The field was there, in this process, when a request was answered that was sent at this time. */
    synchronized void confirmed(ServerRun run, long sentNanos) {
        boolean first = confirmedBy.isEmpty() && confirmedNanos == 0;
        confirmedBy = run.id();
        hasField = true;
        confirmedNanos = first || sentNanos - confirmedNanos > 0 ? sentNanos : confirmedNanos;
    }

    /** Whether the node has confirmed the field by its answer to a request that was sent after this time. */
    synchronized boolean hasConfirmedSince(long nanos) {
        return confirmedNanos - nanos >= 0;
    }

    /**
     * The field was not there, in this process. If it vanished while its lease was valid, and not by a restart, it was
     * taken away: freed by force, deleted or evicted. Then the hold never gets this node back.
     */
    synchronized void forgotten(ServerRun run, boolean wasValid) {
        hasField = false;
        barred |= wasValid && (!run.isKnown() || run.id().equals(confirmedBy));
    }

    /** The field is not there: another one is, or it was undone. */
    synchronized void isAway() {
        hasField = false;
    }

    synchronized boolean mayHaveField() {
        return hasField;
    }

    synchronized boolean isBarred() {
        return barred;
    }

    // --- joining ---

    /** Whether the node has no lease of the hold, and the field is surely not there or was taken for lost. */
    boolean isVacant() {
        return undoing == 0 && !lease.mayBeThere() && !isBarred();
    }

    /** A fresh lease, which the node is asked for. It does not count before {@link #admit}. */
    StoreLease askAfresh(Hold hold) {
        StoreLease fresh = StoreLease.asked(store);
        fresh.belongsTo(hold);
        counts = false;
        lease = fresh;
        return fresh;
    }

    /** The node has the field from now on, which the hold did not rest on before. */
    void joined(long now) {
        counts = false;
        joinedNanos = now;
    }

    /** Whether the node has joined, and its lease does not count yet. */
    boolean isNew() {
        return !counts && lease.isGranted();
    }

    long joinedNanos() {
        return joinedNanos;
    }

    void admit() {
        counts = true;
    }

    boolean counts() {
        return counts;
    }

    void undoBegins() {
        undoing++;
    }

    void undoConfirmed() {
        undoing--;
        if (undoing == 0) {
            isAway();
            lease.refuse("a request that had no answer was undone");
        }
    }

    void stopListening() {
        Subscription open = releases;
        if (open != null) {
            releases = null;
            open.close();
        }
    }

    // --- steps that the node has missed ---

    /** A step of the hold is not sent to this node, or has failed there. */
    void misses() {
        missed = true;
    }

    boolean isBehind() {
        return missed && lease.isGranted();
    }

    boolean isCatchingUp() {
        return catchingUp;
    }

    void catchUpBegins() {
        missed = false;
        catchingUp = true;
    }

    void catchUpEnded(Outcome outcome) {
        catchingUp = false;
        missed |= outcome instanceof Outcome.Failed;
    }
}
