package io.holdfast.lock.engine.hold;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the server has granted for a run of hand-overs of which it is not asked (rule 100): a field, its lease, and the tokens that
 * were put by for it. The holds that have the lock in turn take a {@link Share} each.
 *
 * <p>Belongs to the cell's steps, but for what is told of its lease.
 */
public final class Grant {

    /**
     * How long it may be handed on since it was asked for, so that whatever happens to the lock at the server is found out
     * within so long (rule 103).
     */
    static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The same as the server counts it: a fixed lease is asked for longer by that (rule 102). */
    private static final long WINDOW_MILLIS = 50;

    /** A watched hold begins with at least two of three parts of its lease, which is what a renewal leaves of it. */
    private static final int PARTS = 3;

    private final StoreLease lease;
    private final long leaseMillis;
    private final boolean watched;
    private final long sentNanos;
    private final long lastToken;
    private final int disconnections;

    private long token;
    /** A step of one of its holds has changed its lease: no other hold may have it (rule 107). */
    private volatile boolean closed;
    /** Hand-overs since the server has last said that it knows the field. */
    private final AtomicInteger unconfirmed = new AtomicInteger();

    /**
     * @param lease what the server has granted
     * @param leaseMillis what each of its holds is promised
     * @param watched whether the watchdog renews it
     * @param token of the hold that it was granted to; the following ones are put by
     * @param tokens how many there are in all
     * @param sentNanos when it was asked for
     * @param disconnections how often the store had gone out of reach by then
     */
    public Grant(
            StoreLease lease,
            long leaseMillis,
            boolean watched,
            long token,
            int tokens,
            long sentNanos,
            int disconnections) {
        this.lease = lease;
        this.leaseMillis = leaseMillis;
        this.watched = watched;
        this.token = token;
        this.lastToken = token + tokens - 1;
        this.sentNanos = sentNanos;
        this.disconnections = disconnections;
    }

    /** The lease to ask the server for. */
    public static long askedMillis(long leaseMillis, boolean watched) {
        return watched ? leaseMillis : Math.min(leaseMillis + WINDOW_MILLIS, LeaseTerm.LONGEST_MILLIS);
    }

    /** The part of the hold that it was granted to. */
    public Share first(long sentNanos) {
        return new Share(this, token, sentNanos);
    }

    /**
     * The part of the next hold, if the server need not be asked for it: the clock is looked at first (rule 101).
     *
     * @return null if it is to be asked
     */
    @Nullable
    Share next(long promisedMillis, boolean isWatched, long now) {
        boolean isMeant = promisedMillis == leaseMillis && isWatched == watched;
        if (!isMeant || closed || token >= lastToken || now - sentNanos >= WINDOW_NANOS || !isSound(now)) {
            return null;
        }
        token++;
        unconfirmed.incrementAndGet();
        return new Share(this, token, now);
    }

    /** Whether its lease lasts for one more hold, and nothing is in the way of relying on it. */
    private boolean isSound(long now) {
        long promised = LeaseTerm.validUntil(0, leaseMillis);
        long needed = watched ? promised / PARTS * (PARTS - 1) : promised;
        return lease.isValid(now + needed - 1)
                && lease.isClear()
                && !lease.isDoubtful()
                && lease.isOfPresentServer()
                && lease.store.disconnections() == disconnections;
    }

    StoreLease lease() {
        return lease;
    }

    long leaseMillis() {
        return leaseMillis;
    }

    long sentNanos() {
        return sentNanos;
    }

    boolean isWatched() {
        return watched;
    }

    void close() {
        closed = true;
    }

    void confirmed() {
        unconfirmed.set(0);
    }

    int unconfirmed() {
        return unconfirmed.get();
    }
}
