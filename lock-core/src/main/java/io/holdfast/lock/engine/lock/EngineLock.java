package io.holdfast.lock.engine.lock;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.ConditionName;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.wait.Acquisitions;
import io.holdfast.lock.engine.wait.Ticket;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock of one engine: one name at one store, or at the nodes of a quorum. */
public class EngineLock extends LockFacade<Hold, Ticket> {

    public final LockSite site;
    public final LockKind kind;
    public final ClientFacts facts;
    public final LockKeys keys;
    private final HoldOperations operations;
    private final Acquisitions calls;
    private final String name;
    private final Terms terms;

    public EngineLock(LockSite site, Terms terms, LockKeys keys) {
        this(site, terms, keys.name(), keys);
    }

    public EngineLock(LockSite site, Terms terms, String name, LockKeys keys) {
        super(site.facts(), terms.options());
        this.site = site;
        this.kind = terms.kind();
        this.facts = site.facts();
        this.operations = site.operations();
        this.calls = operations.calls();
        this.name = name;
        this.keys = keys;
        this.terms = terms;
    }

    /** What is done with this lock's holds. */
    public HoldOperations operations() {
        return operations;
    }

    /** Brings a call that wants this lock. */
    public Acquisitions calls() {
        return calls;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public EngineLock withLease(Duration lease) {
        return new EngineLock(site, new Terms(kind, optionsWith(lease)), name, keys);
    }

    @Override
    public Owner newOwner() {
        return facts.newOwner();
    }

    /**
     * Throws if the owner would wait for itself.
     *
     * @throws IllegalStateException if it holds what is needed by another lock
     */
    public void refuseOwn(Owner owner) {}

    @Override
    public Ticket begin(
            Owner owner, LeaseTerm lease, long waitNanos, @Nullable Thread thread, Pending<Optional<Hold>> result) {
        refuseOwn(owner);
        facts.checkLease(keys, lease.millis());
        Ticket ticket = new Ticket(
                keys,
                calls.events().started(terms, keys),
                owner,
                lease,
                waitNanos,
                owner.standalone() ? null : thread,
                facts.nanos(),
                result);
        calls.acquire(ticket);
        return ticket;
    }

    @Override
    public void withdraw(Ticket ticket) {
        calls.withdraw(ticket);
    }

    @Override
    public void giveBack(Hold hold) {
        hold.cell.run(() -> operations.release(hold, new Unwanted<>()));
    }

    @Override
    public LockHold handle(Hold hold) {
        return new HoldView(hold, operations);
    }

    @Override
    public void beforeUnlock(Owner owner) {
        LockCell cell = site.cells().ifPresent(keys);
        Hold hold = cell == null ? null : cell.find(owner, kind);
        if (hold != null) {
            NextCaller.lookFor(hold);
        }
    }

    @Override
    public void release(Owner owner, Pending<Done> result) {
        release(owner, null, result);
    }

    /**
     * Releases a level of an owner's hold.
     *
     * @param taker the MultiLock whose level is to be released; null for the newest level
     */
    public void release(Owner owner, @Nullable Object taker, Pending<Done> result) {
        LockCell cell = site.cells().ifPresent(keys);
        if (cell == null) {
            result.fail(
                    facts.isClosed()
                            ? Failures.closed(name, facts.ownerText(owner), facts.node())
                            : facts.notHeld(keys, owner, null));
            return;
        }
        cell.run(() -> {
            Hold hold = taker == null ? cell.find(owner, kind) : cell.find(owner, kind, taker);
            if (hold != null && taker != null) {
                operations.release(hold, taker, result);
            } else if (hold != null && !hold.isReserved()) {
                operations.release(hold, result);
            } else if (cell.isRetired()) {
                release(owner, taker, result);
            } else {
                result.fail(notHeld(owner, cell));
            }
        });
    }

    @Override
    public RCondition newCondition(String condition) {
        return kind == Queued.FAIR
                ? new EngineCondition(this, new ConditionName(condition))
                : super.newCondition(condition);
    }

    @Override
    public String whyNoConditions() {
        if (facts.isQuorum()) {
            return "each of its nodes would wake another waiter";
        }
        if (keys.layout.sharesWithRedisson()) {
            return "Redisson's keys have no queue into which a signal could move a waiter";
        }
        return kind.queues()
                ? "a waiter of a read/write lock would keep what it has read-locked"
                : "its waiters stand in no queue at the server, into which a signal could move them";
    }

    /**
     * The owner's hold that it can give up or signal under.
     *
     * @throws LockNotHeldException if it has none
     */
    Hold held(Owner owner) {
        LockCell cell = site.cells().ifPresent(keys);
        Hold hold = cell == null ? null : cell.find(owner, kind);
        if (cell == null && facts.isClosed()) {
            throw Failures.closed(name, facts.ownerText(owner), facts.node());
        }
        if (cell == null) {
            throw facts.notHeld(keys, owner, null);
        }
        LockLoss loss = hold == null ? null : hold.loss();
        if (loss != null) {
            throw Failures.lost(loss);
        }
        if (hold == null || hold.isReserved() || hold.hasEnded()) {
            throw notHeld(owner, cell);
        }
        return hold;
    }

    private LockNotHeldException notHeld(Owner owner, LockCell cell) {
        Hold own = cell.holds().alive(owner);
        if (own == null) {
            return cell.notHeld(owner);
        }
        return own.isReserved() || !own.kind().includes(kind)
                ? facts.notHeld(keys, owner, null)
                : Failures.notTaken(keys.name(), own.ownerText(), own.owner, facts.node());
    }

    @Override
    public void force(Pending<Boolean> result) {
        if (facts.isClosed()) {
            result.fail(Failures.closed(name, "", facts.node()));
            return;
        }
        LockCell cell = site.cells().cell(keys);
        cell.run(() -> {
            if (cell.isRetired()) {
                force(result);
            } else {
                operations.force(cell, kind, result);
            }
        });
    }

    @Override
    public void askWhetherLocked(Pending<Boolean> result) {
        site.inspection(keys).isLocked(result);
    }

    @Override
    public void askTimeToLive(Pending<Long> result) {
        site.inspection(keys).timeToLive(result);
    }

    @Override
    public void askEverything(Pending<LockInfo> result) {
        site.inspection(keys).everything(result);
    }

    @Override
    public LockTimeoutException notGranted(Duration wait) {
        return Failures.notGranted(name, facts.clientId(), facts.node(), wait);
    }

    @Override
    public int holdCount(Owner owner) {
        LockCell cell = site.cells().ifPresent(keys);
        Hold hold = cell == null ? null : cell.holds().alive(owner, kind);
        return hold == null || hold.isReserved() ? 0 : hold.count();
    }

    @Override
    public long token(Owner owner) {
        Hold hold = found(owner);
        LockLoss loss = hold == null ? null : hold.loss();
        if (loss != null) {
            throw Failures.lost(loss);
        }
        if (hold == null || hold.hasEnded()) {
            LockCell cell = site.cells().ifPresent(keys);
            throw cell == null ? facts.notHeld(keys, owner, null) : cell.notHeld(owner);
        }
        facts.checkTokens(keys.name());
        return hold.token;
    }

    /** Whether this is the same kind of the same lock of the same client: views and other objects for it are equal. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof EngineLock that && site == that.site && kind == that.kind && keys.equals(that.keys);
    }

    @Override
    public final int hashCode() {
        return keys.hashCode();
    }

    /** Whether the owner holds this lock as whatever kind. */
    public boolean isHeldAsAnyKind(Owner owner) {
        LockCell cell = site.cells().ifPresent(keys);
        return cell != null && cell.holds().alive(owner) != null;
    }

    /**
     * The owner's hold that it may see: one that has not ended, else a lost one that it does not know of yet. A hold of a lesser
     * right is none of this lock: an owner that shares a lock does not hold it alone.
     */
    private @Nullable Hold found(Owner owner) {
        LockCell cell = site.cells().ifPresent(keys);
        Hold hold = cell == null ? null : cell.find(owner, kind);
        return hold == null || hold.isReserved() ? null : hold;
    }
}
