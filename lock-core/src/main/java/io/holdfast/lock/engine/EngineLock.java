package io.holdfast.lock.engine;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock of one engine: one name at one store, or at the nodes of a quorum. */
class EngineLock extends LockFacade<Hold> {

    final Engine engine;
    final ClientFacts facts;
    final LockNames names;
    private final Acquisitions calls;
    private final String name;

    EngineLock(Engine engine, LockNames names, LockOptions options) {
        this(engine, names.name(), names, options);
    }

    EngineLock(Engine engine, String name, LockNames names, LockOptions options) {
        super(engine.facts(), options);
        this.engine = engine;
        this.facts = engine.facts();
        this.calls = engine.calls();
        this.name = name;
        this.names = names;
    }

    /** What is done with this lock's holds. */
    HoldOperations operations() {
        return calls.operations();
    }

    /** Brings a call that wants this lock. */
    Acquisitions calls() {
        return calls;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public EngineLock withLease(Duration lease) {
        return new EngineLock(engine, name, names, optionsWith(lease));
    }

    @Override
    Owner newHandle() {
        return facts.newHandle();
    }

    /**
     * Throws if the owner would wait for itself.
     *
     * @throws IllegalStateException if it holds what is needed by another lock
     */
    void refuseOwn(Owner owner) {}

    @Override
    Runnable begin(Owner owner, Lease lease, long waitNanos, @Nullable Thread thread, Pending<Optional<Hold>> result) {
        refuseOwn(owner);
        Ticket ticket = new Ticket(
                names, owner, options, lease, waitNanos, owner.handle() ? null : thread, facts.nanos(), result);
        calls.acquire(ticket);
        return () -> calls.withdraw(ticket);
    }

    @Override
    void giveBack(Hold hold) {
        hold.cell.run(() -> calls.operations().release(hold, new Unwanted<>()));
    }

    @Override
    LockHold handle(Hold hold) {
        return new HoldHandle(hold, calls.operations());
    }

    @Override
    void release(Owner owner, Pending<Done> result) {
        release(owner, null, result);
    }

    /** @param taker the MultiLock whose level is to be released; null for the newest level */
    void release(Owner owner, @Nullable Object taker, Pending<Done> result) {
        LockCell cell = engine.cells().ifPresent(names);
        if (cell == null) {
            result.fail(
                    facts.isClosed()
                            ? Failures.closed(name, facts.ownerText(owner), facts.node())
                            : facts.notHeld(names, owner, null));
            return;
        }
        cell.run(() -> {
            Hold hold = taker == null ? cell.find(owner) : cell.find(owner, taker);
            if (hold != null && taker != null) {
                calls.operations().release(hold, taker, result);
            } else if (hold != null && !hold.isReserved()) {
                calls.operations().release(hold, result);
            } else if (cell.isRetired()) {
                release(owner, taker, result);
            } else {
                result.fail(notHeld(owner, cell));
            }
        });
    }

    private LockNotHeldException notHeld(Owner owner, LockCell cell) {
        Hold own = cell.holds().alive(owner);
        if (own == null) {
            return cell.notHeld(owner);
        }
        return own.isReserved()
                ? facts.notHeld(names, owner, null)
                : Failures.notTaken(names.name(), own.ownerText(), own.owner, facts.node());
    }

    @Override
    void force(Pending<Boolean> result) {
        if (facts.isClosed()) {
            result.fail(Failures.closed(name, "", facts.node()));
            return;
        }
        LockCell cell = engine.cells().cell(names);
        cell.run(() -> {
            if (cell.isRetired()) {
                force(result);
            } else {
                calls.operations().force(cell, result);
            }
        });
    }

    @Override
    void askWhetherLocked(Pending<Boolean> result) {
        engine.inspection(names).isLocked(result);
    }

    @Override
    void askTimeToLive(Pending<Long> result) {
        engine.inspection(names).timeToLive(result);
    }

    @Override
    void askEverything(Pending<LockInfo> result) {
        engine.inspection(names).everything(result);
    }

    @Override
    LockTimeoutException notGranted(Duration wait) {
        return Failures.notGranted(name, facts.clientId(), facts.node(), wait);
    }

    @Override
    int holdCount(Owner owner) {
        LockCell cell = engine.cells().ifPresent(names);
        Hold hold = cell == null ? null : cell.holds().alive(owner);
        return hold == null || hold.isReserved() ? 0 : hold.count();
    }

    @Override
    long token(Owner owner) {
        Hold hold = found(owner);
        LockLoss loss = hold == null ? null : hold.loss();
        if (loss != null) {
            throw Failures.lost(loss);
        }
        if (hold == null || hold.hasEnded()) {
            LockCell cell = engine.cells().ifPresent(names);
            throw cell == null ? facts.notHeld(names, owner, null) : cell.notHeld(owner);
        }
        facts.checkTokens(names.name());
        return hold.token;
    }

    /** Whether this is the same lock of the same client: views and other objects for it are equal. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof EngineLock that && engine == that.engine && names.equals(that.names);
    }

    @Override
    public final int hashCode() {
        return names.hashCode();
    }

    /** The owner's hold that it may see: one that has not ended, else a lost one that it does not know of yet. */
    private @Nullable Hold found(Owner owner) {
        LockCell cell = engine.cells().ifPresent(names);
        Hold hold = cell == null ? null : cell.find(owner);
        return hold == null || hold.isReserved() ? null : hold;
    }
}
