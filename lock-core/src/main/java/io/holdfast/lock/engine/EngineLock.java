package io.holdfast.lock.engine;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock as its user sees it: checks arguments, names the owner, and passes on to the cell. It has no state. */
final class EngineLock implements RLock {

    private final Engine engine;
    private final LockNames names;
    private final LockOptions options;

    EngineLock(Engine engine, LockNames names, LockOptions options) {
        this.engine = engine;
        this.names = names;
        this.options = options;
    }

    @Override
    public String getName() {
        return names.name;
    }

    // --- the calling thread's holds, blocking ---

    @Override
    public void lock() {
        lock(Lease.unnamed(options));
    }

    @Override
    public void lock(long leaseTime, TimeUnit unit) {
        lock(Lease.of(leaseTime, unit, options));
    }

    private void lock(Lease lease) {
        Parked<Optional<Hold>> parked = parked("lock");
        send(currentOwner(), lease, Ticket.NEVER, Thread.currentThread(), parked);
        parked.await();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        await(currentOwner(), Lease.unnamed(options), Ticket.NEVER, "lockInterruptibly");
    }

    @Override
    public void lockInterruptibly(long leaseTime, TimeUnit unit) throws InterruptedException {
        await(currentOwner(), Lease.of(leaseTime, unit, options), Ticket.NEVER, "lockInterruptibly");
    }

    @Override
    public boolean tryLock() {
        Parked<Optional<Hold>> parked = parked("tryLock");
        send(currentOwner(), Lease.unnamed(options), 0, Thread.currentThread(), parked);
        return parked.await().isPresent();
    }

    @Override
    public boolean tryLock(long waitTime, TimeUnit unit) throws InterruptedException {
        return await(currentOwner(), Lease.unnamed(options), waitNanos(waitTime, unit), "tryLock")
                .isPresent();
    }

    @Override
    public boolean tryLock(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException {
        return await(currentOwner(), Lease.of(leaseTime, unit, options), waitNanos(waitTime, unit), "tryLock")
                .isPresent();
    }

    @Override
    public void unlock() {
        Parked<Done> parked = parked("unlock");
        release(currentOwner(), parked);
        parked.await();
    }

    // --- holds of their own, blocking ---

    @Override
    public LockHold acquire() throws InterruptedException {
        return handle(await(engine.newHandle(), Lease.unnamed(options), Ticket.NEVER, "acquire"));
    }

    @Override
    public LockHold acquire(Duration lease) throws InterruptedException {
        return handle(await(engine.newHandle(), Lease.of(lease), Ticket.NEVER, "acquire"));
    }

    @Override
    public Optional<LockHold> tryAcquire(Duration wait) throws InterruptedException {
        return await(engine.newHandle(), Lease.unnamed(options), waitNanos(wait), "tryAcquire")
                .map(hold -> new HoldHandle(engine, hold));
    }

    @Override
    public Optional<LockHold> tryAcquire(Duration wait, Duration lease) throws InterruptedException {
        return await(engine.newHandle(), Lease.of(lease), waitNanos(wait), "tryAcquire")
                .map(hold -> new HoldHandle(engine, hold));
    }

    // --- asynchronous ---

    @Override
    public RFuture<Void> lockAsync() {
        return lockAsync(currentOwner(), Lease.unnamed(options));
    }

    @Override
    public RFuture<Void> lockAsync(long threadId) {
        return lockAsync(Owner.thread(threadId), Lease.unnamed(options));
    }

    @Override
    public RFuture<Void> lockAsync(long leaseTime, TimeUnit unit) {
        return lockAsync(currentOwner(), Lease.of(leaseTime, unit, options));
    }

    @Override
    public RFuture<Void> lockAsync(long leaseTime, TimeUnit unit, long threadId) {
        return lockAsync(Owner.thread(threadId), Lease.of(leaseTime, unit, options));
    }

    @SuppressWarnings("NullAway") // the only value that Void has
    private RFuture<Void> lockAsync(Owner owner, Lease lease) {
        return promise(owner, lease, Ticket.NEVER, granted -> null);
    }

    @Override
    public RFuture<Boolean> tryLockAsync() {
        return tryLockAsync(currentOwner(), Lease.unnamed(options), 0);
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long threadId) {
        return tryLockAsync(Owner.thread(threadId), Lease.unnamed(options), 0);
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long waitTime, TimeUnit unit) {
        return tryLockAsync(currentOwner(), Lease.unnamed(options), waitNanos(waitTime, unit));
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit) {
        return tryLockAsync(currentOwner(), Lease.of(leaseTime, unit, options), waitNanos(waitTime, unit));
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId) {
        return tryLockAsync(Owner.thread(threadId), Lease.of(leaseTime, unit, options), waitNanos(waitTime, unit));
    }

    private RFuture<Boolean> tryLockAsync(Owner owner, Lease lease, long waitNanos) {
        return promise(owner, lease, waitNanos, Optional::isPresent);
    }

    @Override
    public RFuture<Void> unlockAsync() {
        return unlockAsync(currentOwner());
    }

    @Override
    public RFuture<Void> unlockAsync(long threadId) {
        return unlockAsync(Owner.thread(threadId));
    }

    private RFuture<Void> unlockAsync(Owner owner) {
        Promise<Done, Void> promise = Promise.ofDone(callbacks());
        release(owner, promise);
        return promise.future();
    }

    @Override
    public RFuture<LockHold> acquireAsync() {
        return acquireAsync(Lease.unnamed(options));
    }

    @Override
    public RFuture<LockHold> acquireAsync(Duration lease) {
        return acquireAsync(Lease.of(lease));
    }

    private RFuture<LockHold> acquireAsync(Lease lease) {
        return promise(engine.newHandle(), lease, Ticket.NEVER, this::handle);
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(waitNanos(wait), Lease.unnamed(options));
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireAsync(Duration wait, Duration lease) {
        return tryAcquireAsync(waitNanos(wait), Lease.of(lease));
    }

    private RFuture<Optional<LockHold>> tryAcquireAsync(long waitNanos, Lease lease) {
        return promise(
                engine.newHandle(), lease, waitNanos, granted -> granted.map(hold -> new HoldHandle(engine, hold)));
    }

    // --- questions ---

    @Override
    public boolean forceUnlock() {
        Parked<Boolean> parked = parked("forceUnlock");
        force(parked);
        return parked.await();
    }

    @Override
    public RFuture<Boolean> forceUnlockAsync() {
        Promise<Boolean, Boolean> promise = Promise.of(callbacks());
        force(promise);
        return promise.future();
    }

    @Override
    public boolean isLocked() {
        Question<Boolean> question = new Inspection(engine, names).isLocked();
        return question.ask(this.<Boolean>parked("isLocked")).await();
    }

    @Override
    public RFuture<Boolean> isLockedAsync() {
        return new Inspection(engine, names)
                .isLocked()
                .ask(Promise.<Boolean>of(callbacks()))
                .future();
    }

    @Override
    public long remainTimeToLive() {
        Question<Long> question = new Inspection(engine, names).timeToLive();
        return question.ask(this.<Long>parked("remainTimeToLive")).await();
    }

    @Override
    public RFuture<Long> remainTimeToLiveAsync() {
        return new Inspection(engine, names)
                .timeToLive()
                .ask(Promise.<Long>of(callbacks()))
                .future();
    }

    @Override
    public boolean isHeldByThread(long threadId) {
        return alive(Owner.thread(threadId)) != null;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return alive(currentOwner()) != null;
    }

    @Override
    public RFuture<Boolean> isHeldByThreadAsync(long threadId) {
        return known(isHeldByThread(threadId));
    }

    @Override
    public int getHoldCount() {
        return holdCount(currentOwner());
    }

    @Override
    public RFuture<Integer> getHoldCountAsync() {
        return known(holdCount(currentOwner()));
    }

    @Override
    public RFuture<Integer> getHoldCountAsync(long threadId) {
        return known(holdCount(Owner.thread(threadId)));
    }

    @Override
    public long getFencingToken() {
        Owner owner = currentOwner();
        Hold hold = alive(owner);
        if (hold != null) {
            return hold.token;
        }
        LockCell cell = engine.cellIfPresent(names);
        Hold ended = cell == null ? null : cell.find(owner);
        LockLoss loss = ended == null ? null : ended.loss();
        if (loss != null) {
            throw Failures.lost(loss);
        }
        throw engine.notHeld(names, owner, cell == null ? null : cell.holds.anyAlive());
    }

    @Override
    public String toString() {
        return "RLock{" + names.name + '}';
    }

    // --- the ways down ---

    private Optional<Hold> await(Owner owner, Lease lease, long waitNanos, String operation)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + operation + " on lock '" + names.name + "'");
        }
        Parked<Optional<Hold>> parked = parked(operation);
        Ticket ticket = send(owner, lease, waitNanos, Thread.currentThread(), parked);
        return parked.awaitInterruptibly(() -> engine.cell(names).withdraw(ticket));
    }

    private <V> RFuture<V> promise(Owner owner, Lease lease, long waitNanos, Function<Optional<Hold>, V> view) {
        Promise<Optional<Hold>, V> promise =
                new Promise<>(callbacks(), view, granted -> granted.ifPresent(this::giveBack));
        Ticket ticket = ticket(owner, lease, waitNanos, null, promise);
        promise.onWithdrawn(() -> engine.cell(names).withdraw(ticket));
        engine.cell(names).acquire(ticket);
        return promise.future();
    }

    private Ticket send(Owner owner, Lease lease, long waitNanos, Thread thread, Pending<Optional<Hold>> result) {
        Ticket ticket = ticket(owner, lease, waitNanos, owner.handle() ? null : thread, result);
        engine.cell(names).acquire(ticket);
        return ticket;
    }

    private Ticket ticket(
            Owner owner, Lease lease, long waitNanos, @Nullable Thread thread, Pending<Optional<Hold>> result) {
        return new Ticket(
                owner,
                engine.ownerText(owner),
                options,
                lease,
                waitNanos,
                thread,
                engine.runtime().nanos(),
                result);
    }

    private void giveBack(Hold hold) {
        hold.cell.step(() -> hold.cell.operations.release(hold, new Unwanted<>()));
    }

    private void release(Owner owner, Pending<Done> result) {
        LockCell cell = engine.cellIfPresent(names);
        if (cell == null) {
            result.fail(
                    engine.isClosed()
                            ? Failures.closed(names.name, engine.ownerText(owner), engine.node())
                            : engine.notHeld(names, owner, null));
            return;
        }
        cell.step(() -> {
            Hold hold = cell.find(owner);
            if (hold != null) {
                cell.operations.release(hold, result);
            } else if (cell.isRetired()) {
                release(owner, result);
            } else {
                result.fail(engine.notHeld(names, owner, cell.holds.anyAlive()));
            }
        });
    }

    private void force(Pending<Boolean> result) {
        if (engine.isClosed()) {
            result.fail(Failures.closed(names.name, "", engine.node()));
            return;
        }
        LockCell cell = engine.cell(names);
        cell.step(() -> cell.operations.force(result));
    }

    private @Nullable Hold alive(Owner owner) {
        LockCell cell = engine.cellIfPresent(names);
        return cell == null ? null : cell.holds.alive(owner);
    }

    private int holdCount(Owner owner) {
        Hold hold = alive(owner);
        return hold == null ? 0 : hold.count();
    }

    private LockHold handle(Optional<Hold> granted) {
        return new HoldHandle(
                engine, granted.orElseThrow(() -> new IllegalStateException("a wait without a limit was refused")));
    }

    private <V> RFuture<V> known(V value) {
        HoldfastFuture<V> future = new HoldfastFuture<>(callbacks());
        future.complete(value);
        return future;
    }

    private <T> Parked<T> parked(String operation) {
        return new Parked<>(engine.runtime().blocker(), operation + " on lock '" + names.name + "'");
    }

    private static Owner currentOwner() {
        return Owner.thread(Thread.currentThread().getId());
    }

    private static long waitNanos(long wait, TimeUnit unit) {
        return Objects.requireNonNull(unit, "unit").toNanos(wait);
    }

    private static long waitNanos(Duration wait) {
        Objects.requireNonNull(wait, "wait");
        try {
            return wait.toNanos();
        } catch (ArithmeticException tooLong) {
            return wait.isNegative() ? 0 : Ticket.NEVER;
        }
    }

    private Executor callbacks() {
        return engine.runtime().callbacks();
    }
}
