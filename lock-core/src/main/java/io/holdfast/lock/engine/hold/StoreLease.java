package io.holdfast.lock.engine.hold;

import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.ServerRun;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one store has granted to a hold, and for how long. The hold of a single lock has one of these; a quorum's has one
 * per node, because validity is kept per node (rule 34).
 *
 * <p>Once gone it stays so, whatever answers come later: a late copy of the request may bring the field back after
 * others came and went (rule 15).
 */
public final class StoreLease implements HoldLeases {

    private enum State {
        /** The store was asked and has not answered: it may have granted, or may still do so. */
        ASKED,
        GRANTED,
        /** The store has not granted it, and never will. */
        REFUSED,
        /** The store no longer knows the field, or its lease ran out. */
        GONE
    }

    public final Store store;

    private volatile State state;
    private volatile long validUntilNanos;
    /** What is wrong: why the latest renewal failed, or the store has no such lease; null while all is well. */
    private volatile @Nullable String trouble;

    /** Changes when the lock is handed on without asking the server. */
    private volatile @Nullable Hold hold;

    /** The server process that said last that it knows the field. */
    private volatile ServerRun knownBy = ServerRun.UNKNOWN;

    /**
     * Requests of the hold that have no answer: they are in flight, or their outcome is unknown. Guarded by this
     * lease's monitor.
     */
    private short unanswered;

    // What follows belongs to the cell's gate.

    /** Final releases that were sent and have not ended. */
    private int releasing;
    /** Whether the field is undone if the last of them fails. */
    private boolean undoIfReleaseFails;

    // What follows belongs to the steps of the lease watchdog.

    /** The place in the watchdog's heap; -1 outside of it. */
    public int heapIndex = -1;
    /** When the next renewal is to be sent. */
    public long renewAtNanos;
    /** Whether a renewal waits or is in flight. */
    public boolean renewing;
    /** Renewals that have failed since the last success, as far as it counts. */
    private byte renewalFailures;

    private StoreLease(Store store, State state) {
        this.store = store;
        this.state = state;
    }

    /** A lease that was asked for. */
    public static StoreLease asked(Store store) {
        return new StoreLease(store, State.ASKED);
    }

    /** A lease that was granted by this server process, to a request that was sent at this time. */
    public static StoreLease granted(Store store, ServerRun run, long sentNanos, long leaseMillis) {
        StoreLease lease = asked(store);
        lease.knownBy = run;
        lease.grant(sentNanos, leaseMillis);
        return lease;
    }

    /** One more lease that the same answer has granted. */
    public StoreLease likewise(long leaseMillis) {
        return granted(store, knownBy, askedNanos(leaseMillis), leaseMillis);
    }

    // --- whose it is ---

    public void belongsTo(Hold holder) {
        hold = holder;
    }

    /** The hold; only for leases that have one. */
    public Hold hold() {
        return Objects.requireNonNull(hold);
    }

    public boolean hasHold() {
        return hold != null;
    }

    // --- what the store is asked ---

    /** A request of the hold sets out. */
    public synchronized void asks() {
        if (unanswered < Short.MAX_VALUE) {
            unanswered++;
        }
    }

    /** A request of the hold has its answer, and that was applied; or it had no effect. */
    public synchronized void isAnswered() {
        if (unanswered < Short.MAX_VALUE) {
            unanswered--;
        }
    }

    /** Whether every request was answered, the first one too: nothing that is yet to come can change what is there. */
    synchronized boolean isClear() {
        return state != State.ASKED && unanswered == 0;
    }

    // --- what the store said ---

    /** The store's late or timely grant. */
    public synchronized void grant(long sentNanos, long leaseMillis) {
        if (state == State.ASKED) {
            validUntilNanos = LeaseTerm.validUntil(sentNanos, leaseMillis);
            state = State.GRANTED;
        }
    }

    /** The store has definitely not granted it. */
    public synchronized void refuse(String why) {
        if (state == State.ASKED) {
            state = State.REFUSED;
            trouble = why;
        }
    }

    /**
     * The store has confirmed a renewal, extension or re-entry. The clock is compared first (rule 15).
     *
     * @return false if the lease is over; then the store may have prolonged what is not held any more
     */
    synchronized boolean raise(long sentNanos, long leaseMillis, long now) {
        if (state != State.GRANTED) {
            return false;
        }
        if (now - validUntilNanos >= 0) {
            lose("its lease ran out before a renewal was confirmed");
            return false;
        }
        // What is as it was is not written: a client may renew very many leases, each in a place of its own in memory.
        if (trouble != null) {
            trouble = null;
        }
        long raised = LeaseTerm.validUntil(sentNanos, leaseMillis);
        if (raised - validUntilNanos > 0) {
            validUntilNanos = raised;
        }
        isAnswered();
        return true;
    }

    /** The store does not know the field. */
    public synchronized void lose(String why) {
        if (state == State.GRANTED) {
            state = State.GONE;
            trouble = why;
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // it is the same object until the store's connection is another
    public void confirmed(StoreLease lease, ServerRun run, long sentNanos) {
        if (knownBy != run) {
            knownBy = run;
        }
    }

    /** The slot of the lock at this store. */
    public int slot() {
        return hold().cell.keys.at(store).slot;
    }

    /** The server process that said last that it knows the field. */
    public ServerRun knownBy() {
        return knownBy;
    }

    /** Whether the server process that knows the field is the one that is asked now. */
    boolean isOfPresentServer() {
        return knownBy.equals(store.backend().run(slot()));
    }

    @Override
    public @Nullable String replacement() {
        ServerRun now = store.backend().run(slot());
        // While the lock's slot is being moved, both servers may know the field.
        boolean isOfAMove = store.backend().runs(slot()).contains(knownBy);
        return !isOfAMove && knownBy.isReplacedBy(now)
                ? now.place() + " has taken the place of " + knownBy.place() + ", which had not passed it on"
                : null;
    }

    /** A final release sets out. */
    public void releaseSent() {
        releasing++;
    }

    /**
     * A final release has its answer, or will get none.
     *
     * @return whether the field is to be undone if it failed
     */
    public boolean releaseEnded() {
        releasing--;
        return releasing == 0 && undoIfReleaseFails;
    }

    /** The release under way is given up as soon as it fails, and left to the undoer. */
    public void undoIfReleaseFails() {
        undoIfReleaseFails = true;
    }

    /**
     * Whether a final release is under way. It travels behind the request, so that whatever the request still takes is
     * freed; a request that is answered later than the release has overtaken itself, and is undone.
     */
    public boolean isBeingReleased() {
        return releasing > 0;
    }

    /**
     * A renewal has failed.
     *
     * @return how many had failed before, since the last success
     */
    public int countFailure() {
        int before = renewalFailures;
        renewalFailures = (byte) Math.min(before + 1, Byte.MAX_VALUE);
        return before;
    }

    /** A renewal has succeeded. */
    public void forgetFailures() {
        renewalFailures = 0;
    }

    /** Says why the latest renewal failed. */
    public synchronized void doubt(String why) {
        if (state == State.GRANTED) {
            trouble = why;
        }
    }

    // --- what is known ---

    public boolean isValid(long now) {
        return state == State.GRANTED && now - validUntilNanos < 0;
    }

    public boolean isGranted() {
        return state == State.GRANTED;
    }

    /** Whether it is not known what the store has answered to the first request. */
    public boolean isAwaited() {
        return state == State.ASKED;
    }

    /** When it was asked for, if it was for so long. */
    public long askedNanos(long leaseMillis) {
        return validUntilNanos - LeaseTerm.validUntil(0, leaseMillis);
    }

    /** Whether the store may have the field. */
    public boolean mayBeThere() {
        return state == State.ASKED || state == State.GRANTED;
    }

    /** Whether the store has definitely never had the field. */
    public boolean isRefused() {
        return state == State.REFUSED;
    }

    public boolean isDoubtful() {
        return trouble != null;
    }

    String trouble() {
        String why = trouble;
        return why == null ? "" : why;
    }

    /** Only for granted leases. */
    public long validUntilNanos() {
        return validUntilNanos;
    }

    // --- as the only lease of a hold ---

    @Override
    public int size() {
        return 1;
    }

    @Override
    public StoreLease get(int index) {
        if (index != 0) {
            throw new IndexOutOfBoundsException("no lease at " + index + " of 1");
        }
        return this;
    }

    @Override
    public boolean isQuorum() {
        return false;
    }

    @Override
    public void askedBefore() {
        asks();
    }

    @Override
    public long validUntilNanos(long now) {
        return isGranted() ? validUntilNanos : now;
    }

    @Override
    public boolean majorityIsGone() {
        return !mayBeThere();
    }

    @Override
    public boolean areDoubtful(long now) {
        return !isValid(now) || isDoubtful();
    }

    @Override
    public String describe(long now) {
        return store + ": " + said(now);
    }

    /** The state of things at this store, for reports. */
    private String said(long now) {
        return switch (state) {
            case ASKED -> "no answer to the request";
            case REFUSED, GONE -> trouble();
            case GRANTED ->
                (isValid(now) ? "valid for " + (validUntilNanos - now) / 1_000_000 + " ms" : "its lease ran out")
                        + (trouble == null ? "" : ", " + trouble);
        };
    }
}
