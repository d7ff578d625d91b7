package io.holdfast.lock.engine.hold;

import io.holdfast.lock.spi.ServerRun;
import org.jspecify.annotations.Nullable;

/**
 * One hold's part of a {@link Grant}: the lease, which it shares with the holds before and behind it, a token of its own, and an end
 * of its own where its lease is fixed.
 */
public final class Share implements HoldLeases {

    private final Grant grant;
    private final StoreLease lease;
    private final long token;
    /** When a fixed lease ends, whatever is left of what it shares. */
    private volatile long endNanos;

    Share(Grant grant, long token, long fromNanos) {
        this.grant = grant;
        this.lease = grant.lease();
        this.token = token;
        this.endNanos = LeaseTerm.validUntil(fromNanos, grant.leaseMillis());
    }

    public long token() {
        return token;
    }

    /** When the server was asked for what it is a part of. */
    public long grantedNanos() {
        return grant.sentNanos();
    }

    /**
     * The part of the next hold, if the lock may be handed on to it without asking the server.
     *
     * @param leaseMillis what the next hold is to be promised
     * @param watched whether the watchdog is to renew it
     * @return null if the server is to be asked
     */
    public @Nullable Share next(long leaseMillis, boolean watched, long now) {
        return grant.next(leaseMillis, watched, now);
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public StoreLease get(int index) {
        return lease.get(index);
    }

    @Override
    public boolean isQuorum() {
        return false;
    }

    @Override
    public long validUntilNanos(long now) {
        long shared = lease.validUntilNanos(now);
        return grant.isWatched() || shared - endNanos <= 0 ? shared : endNanos;
    }

    @Override
    public long grantedUntilNanos(long now) {
        return lease.validUntilNanos(now);
    }

    @Override
    public boolean majorityIsGone() {
        return lease.majorityIsGone();
    }

    @Override
    public boolean areDoubtful(long now) {
        return lease.areDoubtful(now);
    }

    @Override
    public String describe(long now) {
        return lease.describe(now);
    }

    @Override
    public @Nullable String replacement() {
        return lease.replacement();
    }

    @Override
    public long keptBeyondNanos() {
        return grant.isWatched() ? 0 : Grant.WINDOW_NANOS;
    }

    @Override
    public int unconfirmedHandOvers() {
        return grant.unconfirmed();
    }

    @Override
    public void askedBefore() {
        lease.askedBefore();
    }

    /** What the hold leaves behind lives as long as what was asked for. */
    @Override
    public void begun(Hold hold) {
        hold.willAskFor(Grant.askedMillis(grant.leaseMillis(), grant.isWatched()));
    }

    /** Its own end moves with what it was promised; a lease of another length is shared with no hold behind it. */
    @Override
    public synchronized void raised(long sentNanos, long leaseMillis) {
        long raised = LeaseTerm.validUntil(sentNanos, leaseMillis);
        if (raised - endNanos > 0) {
            endNanos = raised;
        }
        if (!grant.isWatched() || leaseMillis != grant.leaseMillis()) {
            grant.close();
        }
    }

    @Override
    public void confirmed(StoreLease confirmed, ServerRun run, long sentNanos) {
        grant.confirmed();
        confirmed.confirmed(confirmed, run, sentNanos);
    }
}
