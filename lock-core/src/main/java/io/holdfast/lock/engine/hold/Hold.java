package io.holdfast.lock.engine.hold;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.spi.ServerRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition that was granted.
 *
 * <p>Its end is latched: once lost or released it stays so, whatever answers come later. Any thread may ask for the
 * state, and the thread that first sees that the validity has passed latches the loss, so that the answer is right at once,
 * also after the JVM stood still.
 */
public final class Hold extends OperationLine implements Holds {

    private static final Object RELEASED = new Object();
    private static final VarHandle ENDING;
    private static final VarHandle HEARERS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ENDING = lookup.findVarHandle(Hold.class, "ending", Object.class);
            HEARERS = lookup.findVarHandle(Hold.class, "hearers", LossHearer.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    public final LockCell cell;
    public final Owner owner;
    public final byte[] field;
    public final long token;
    public final HoldLeases leases;
    public final long acquiredNanos;

    /** Null while alive, then {@link #RELEASED} or the {@link LockLoss}. */
    private volatile @Nullable Object ending;

    private volatile Terms terms;
    /** Those that have not heard of the loss yet; the one that came last has those before it behind it. */
    private volatile @Nullable LossHearer hearers;

    private volatile int count = 1;
    private volatile boolean watched;
    private volatile @Nullable WatchEnd watchEnd;

    private volatile boolean delivered;
    private volatile boolean lossTold;
    private volatile long longestLeaseMillis;
    /** Null unless a blocking call took it. */
    public final @Nullable TakingThread takingThread;

    private volatile boolean reserved;

    /** Null while there is only one level, and no MultiLock's. Belongs to the cell's steps. */
    private @Nullable Levels levels;

    private boolean goesOnBeside;

    private boolean leftByClose;

    private boolean settledByAnother;

    private record WatchEnd(LossReason reason, String detail) {}

    /**
     * @param leaseMillis the lease that was asked for
     * @param watched whether the watchdog renews it
     * @param thread the thread of a blocking call; null for any other
     * @param taker the MultiLock that takes it as one of its members; null if its owner takes it by itself
     */
    public Hold(
            LockCell cell,
            Terms terms,
            Owner owner,
            byte[] field,
            long token,
            HoldLeases leases,
            long leaseMillis,
            boolean watched,
            @Nullable Thread thread,
            @Nullable Object taker,
            long acquiredNanos) {
        this.cell = cell;
        this.terms = terms;
        this.owner = owner;
        this.field = field;
        this.token = token;
        this.leases = leases;
        this.acquiredNanos = acquiredNanos;
        this.watched = watched;
        this.longestLeaseMillis = leaseMillis;
        this.takingThread = thread == null ? null : TakingThread.of(thread);
        if (taker != null) {
            reserved = true;
            levels = new Levels();
            levels.push(watched, taker);
        }
        for (int i = 0; i < leases.size(); i++) {
            leases.get(i).belongsTo(this);
        }
    }

    @Override
    LockCell gate() {
        return cell;
    }

    // --- what any thread may ask ---

    public Terms terms() {
        return terms;
    }

    public LockKind kind() {
        return terms.kind();
    }

    public LockOptions options() {
        return terms.options();
    }

    public HoldState state() {
        return state(cell.nanos());
    }

    /** The state, by a clock that was just read. */
    public HoldState state(long now) {
        Object end = ending;
        if (end == null && now - leases.validUntilNanos(now) >= 0) {
            expire(now);
            end = ending;
        }
        if (end == null) {
            return leases.areDoubtful(now) ? HoldState.UNCERTAIN : HoldState.HELD;
        }
        return end == RELEASED ? HoldState.RELEASED : HoldState.LOST;
    }

    public boolean isAlive() {
        return isAlive(cell.nanos());
    }

    /** Whether it is alive, by a clock that was read after whatever this is about. */
    public boolean isAlive(long now) {
        HoldState state = state(now);
        return state == HoldState.HELD || state == HoldState.UNCERTAIN;
    }

    public boolean hasEnded() {
        return !isAlive();
    }

    @Nullable
    public LockLoss loss() {
        state();
        return ending instanceof LockLoss loss ? loss : null;
    }

    /** The owner as the store knows it, with the client's id. */
    public String ownerText() {
        return cell.ownerText(owner);
    }

    public int count() {
        return count;
    }

    /** Whether it is a member of a MultiLock that has not got all of them yet: its owner does not see it (rule 75). */
    public boolean isReserved() {
        return reserved;
    }

    public boolean isWatched() {
        return watched;
    }

    /** The lease to which it is renewed. The options are those of its first level, which may have been a fixed one (rule 89). */
    public long watchedLeaseMillis() {
        return Math.min(options().watchdogLease().toMillis(), cell.facts.longestLeaseMillis());
    }

    /** The longest lease that was ever asked for: what is left behind lives no longer than this. */
    public long longestLeaseMillis() {
        return longestLeaseMillis;
    }

    /** Whether a caller was given this hold; a late grant that no caller wants is released without a word. */
    public boolean isDelivered() {
        return delivered;
    }

    public long validUntilNanos() {
        return validUntilNanos(cell.nanos());
    }

    public long validUntilNanos(long now) {
        return leases.validUntilNanos(now);
    }

    /** When a request was sent, at the latest one that is known, whose answer confirmed this hold: then, or later. */
    public long confirmedNanos(long now) {
        return leases.grantedUntilNanos(now) - LeaseTerm.validUntil(0, longestLeaseMillis);
    }

    public long heldNanos() {
        return cell.nanos() - acquiredNanos;
    }

    /** Until when the watchdog may renew; {@link Long#MAX_VALUE} without a limit. */
    public long renewableNanos(long now) {
        return options().maxHold().isEmpty()
                ? Long.MAX_VALUE
                : options().maxHold().get().toNanos() - (now - acquiredNanos);
    }

    /** Calls back once, where losses are told, if the hold is lost: an errand of its own, which waits for no other. */
    public void onLost(Consumer<? super LockLoss> callback) {
        whenLost(loss -> cell.facts.callbacks().tellLoss(() -> callback.accept(loss)));
    }

    /** As {@link #onLost}, for a step of the engine's own: on the thread that finds out, so that no code of users holds it up. */
    public void whenLost(Consumer<? super LockLoss> step) {
        LossHearer.add(HEARERS, this, step);
        if (loss() != null) {
            tellLoss();
        }
    }

    // --- the end ---

    /**
     * Latches the loss.
     *
     * @return false if the hold had ended before
     */
    public boolean lose(LossReason reason, String detail) {
        LockLoss loss = loss(reason, detail);
        if (!ENDING.compareAndSet(this, null, loss)) {
            return false;
        }
        cell.lost(this, loss);
        return true;
    }

    private Loss loss(LossReason reason, String detail) {
        int handedOn = leases.unconfirmedHandOvers();
        return new Loss(cell.keys.name(), ownerText(), token, cell.node(), reason, detail, handedOn);
    }

    /**
     * Latches the release.
     *
     * @return false if the hold had ended before
     */
    public boolean release() {
        return isAlive() && ENDING.compareAndSet(this, null, RELEASED);
    }

    /** The first release found nothing on the server: the hold had been lost without a sign. */
    public LockLoss lostBeforeRelease() {
        Gone gone = leases.gone("the server did not know this hold any more when it was released");
        LockLoss loss = loss(gone.reason(), gone.detail());
        ENDING.compareAndSet(this, RELEASED, loss);
        return loss;
    }

    /** The hold's loss; if it is not known yet, this is it. */
    public LockLoss surelyLost(String detail) {
        loseAs(leases.gone(detail));
        LockLoss loss = loss();
        if (loss == null) {
            throw new IllegalStateException(this + " was released during an operation");
        }
        return loss;
    }

    /** Tells the loss to those that have not heard of it, in the order in which they came. */
    public void tellLoss() {
        if (hearers != null && ending instanceof LockLoss loss) {
            LossHearer.tell((LossHearer) HEARERS.getAndSet(this, null), loss);
        }
    }

    private void expire(long now) {
        WatchEnd end = watchEnd;
        if (end != null) {
            lose(end.reason(), end.detail());
        } else if (watched) {
            String trouble =
                    leases.isQuorum() ? leases.describe(now) : leases.get(0).trouble();
            lose(LossReason.NOT_RENEWED, trouble.isEmpty() ? "no renewal was confirmed in time" : trouble);
        } else {
            lose(LossReason.LEASE_EXPIRED, "its lease ran out");
        }
    }

    // --- as the only hold of its lock ---

    @Override
    public int size() {
        return 1;
    }

    @Override
    public Hold get(int index) {
        Objects.checkIndex(index, 1);
        return this;
    }

    // --- what belongs to the cell's steps ---

    /** Its owner asks for the lock as another kind beside it (rule 50): what frees it leaves that alone. */
    public void goesOnBeside() {
        goesOnBeside = true;
        LockKind kind = terms.kind().besideAnother();
        terms = kind == terms.kind() ? terms : terms.as(kind);
    }

    /** A request that may make the lock last so long is sent. */
    public void willAskFor(long leaseMillis) {
        longestLeaseMillis = Math.max(longestLeaseMillis, leaseMillis);
    }

    /** A store has confirmed a renewal, extension or re-entry; it counts only if this hold is still valid when that is there. */
    public void raise(StoreLease lease, long sentNanos, long leaseMillis, long now) {
        if (isAlive(now)) {
            lease.raise(sentNanos, leaseMillis, now);
            leases.raised(sentNanos, leaseMillis);
        }
    }

    /** A store does not know this hold. Without a majority of stores that do, it is lost. */
    public void forgottenBy(StoreLease lease, ServerRun run, String when) {
        long now = cell.nanos();
        boolean wasValid = lease.isValid(now);
        String detail = "the server did not know this hold " + when;
        lease.lose(detail);
        leases.forgotten(lease, run, wasValid);
        if (leases.majorityIsGone() || leases.validUntilNanos(now) - now <= 0) {
            loseAs(leases.gone(leases.isQuorum() ? "too few of its nodes know it: " + leases.describe(now) : detail));
        }
        Hold present = lease.hold();
        if (present != this) {
            // The lock was handed on just now.
            present.forgottenBy(lease, run, when);
        }
    }

    void loseAs(Gone gone) {
        lose(gone.reason(), gone.detail());
    }

    /** Its owner and the listeners are told of its loss. */
    public void lossIsTold() {
        lossTold = true;
    }

    boolean isLossTold() {
        return lossTold;
    }

    /** A thread that had no permit was told of its loss, in place of the one that took it (rule 124). */
    public void settleByAnother() {
        settledByAnother = true;
    }

    public boolean isSettledByAnother() {
        return settledByAnother;
    }

    public void markDelivered(boolean wanted) {
        delivered = wanted;
    }

    /** The owner sees the hold from now on. */
    public void publish() {
        reserved = false;
    }

    public void pushLevel(boolean levelIsWatched, @Nullable Object taker) {
        Levels all = levels();
        all.push(levelIsWatched, taker);
        count = all.size();
        watched = watchEnd == null && all.anyWatched();
        if (taker == null) {
            publish();
        }
    }

    /**
     * Drops the newest level.
     *
     * @return whether the hold was watched and is no more
     */
    public boolean popLevel() {
        boolean before = watched;
        Levels all = levels();
        all.pop();
        count = all.size();
        watched = before && all.anyWatched();
        return before && !watched;
    }

    boolean hasLevelOf(Object taker) {
        return levels != null && levels.hasOneOf(taker);
    }

    /** The newest level that a MultiLock took becomes the newest of all; false if there is none. */
    public boolean raiseLevelOf(Object taker) {
        return levels().raise(taker);
    }

    /** A level that a MultiLock has taken, and not given to its owner yet, gets a fixed lease. */
    public void unwatchLevelOf(Object taker) {
        levels().unwatch(taker);
        watched = watched && levels().anyWatched();
    }

    /** A MultiLock that has got all of its members gives its owner the level that it took here. */
    public void giveLevelOf(Object taker, boolean fixed) {
        levels().give(!fixed, taker);
    }

    /** Whether any level that an owner was given has a fixed lease. */
    private boolean hasFixedLevel() {
        return levels == null ? !watched && watchEnd == null : levels.anyFixedAndGiven();
    }

    /** The client is closed. What levels it has counts now: its owner gives them back as soon as it hears of the loss. */
    void closed() {
        leftByClose = hasFixedLevel();
        lose(
                LossReason.CLIENT_CLOSED,
                leftByClose ? "the client was closed; its fixed lease goes on at the server" : "the client was closed");
    }

    /**
     * Whether this lost hold's field stays at a store until the lease is over there: a fixed lease that ran out, if every
     * request was answered and its owner does not read beside it (rule 15), and one whose client was closed (rule 38).
     */
    public boolean isLeftTo(StoreLease lease) {
        LockLoss loss = loss();
        if (loss == null) {
            return false;
        }
        return switch (loss.reason()) {
            case LEASE_EXPIRED -> !goesOnBeside && lease.isClear() && isAboutToEnd(lease);
            case CLIENT_CLOSED -> !lease.isAwaited() && leftByClose;
            default -> false;
        };
    }

    /** Not if an answer has prolonged the leases while the loss was latched, nor a step at a node that a majority has not done. */
    private boolean isAboutToEnd(StoreLease lease) {
        long now = cell.nanos();
        long margin = LeaseTerm.marginNanos(longestLeaseMillis) + leases.keptBeyondNanos();
        return leases.validUntilNanos(now) - now <= 0 && !lease.isValid(now + margin);
    }

    /** Whether renewal has ended because the hold may not last any longer. */
    public boolean isInItsLastLease() {
        WatchEnd end = watchEnd;
        return end != null && end.reason() == LossReason.MAX_HOLD;
    }

    /** Ends renewal for good; the present validity stands, and when it has passed the hold is lost for this reason. */
    public void stopWatching(LossReason reason, String detail) {
        watchEnd = new WatchEnd(reason, detail);
        watched = false;
    }

    Levels levels() {
        Levels all = levels;
        if (all == null) {
            all = new Levels();
            all.push(watched || watchEnd != null, null);
            levels = all;
        }
        return all;
    }

    @Override
    public String toString() {
        return "hold of '" + cell.keys + "' by " + ownerText() + ", token " + token + ", valid for "
                + TimeUnit.NANOSECONDS.toMillis(validUntilNanos() - cell.nanos()) + " ms";
    }
}
