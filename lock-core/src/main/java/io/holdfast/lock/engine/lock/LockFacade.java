package io.holdfast.lock.engine.lock;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockedAction;
import io.holdfast.lock.LockedTask;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.HoldfastFuture;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock as its user sees it: checks arguments, names the owner, waits or makes a future, and passes on. It knows no hold.
 *
 * @param <H> what a grant is
 * @param <C> a call that wants the lock
 */
public abstract class LockFacade<H, C> implements RLock {

    private static final String DEFAULT_CONDITION = "default";

    private final Blocker blocker;
    private final Executor callbacks;
    public final LockOptions options;
    /** The lease of calls that name none. */
    private final LeaseTerm unnamed;
    /** The lease that was named last, and most often is named again. It is immutable, so a thread may read an old one. */
    private LeaseTerm latest;

    public LockFacade(ClientFacts facts, LockOptions options) {
        this.blocker = facts.runtime().blocker();
        this.callbacks = facts.callbacks();
        this.options = options;
        this.unnamed = LeaseTerm.unnamed(options);
        this.latest = unnamed;
    }

    // --- what each lock does in its own way ---

    /** The owner of a hold that belongs to no thread. */
    public abstract Owner newOwner();

    /**
     * Begins to take the lock.
     *
     * @param thread set for blocking calls: when it dies, renewal ends
     */
    public abstract C begin(
            Owner owner, LeaseTerm lease, long waitNanos, @Nullable Thread thread, Pending<Optional<H>> result);

    /** The caller has given up; the result of its call is abandoned already. */
    public abstract void withdraw(C call);

    /** Gives back a grant that no caller received. */
    public abstract void giveBack(H granted);

    public abstract LockHold handle(H granted);

    /** A thread is about to give back its hold, and may take a moment for it. */
    public void beforeUnlock(Owner owner) {}

    public abstract void release(Owner owner, Pending<Done> result);

    public abstract void force(Pending<Boolean> result);

    public abstract void askWhetherLocked(Pending<Boolean> result);

    public abstract void askTimeToLive(Pending<Long> result);

    public abstract void askEverything(Pending<LockInfo> result);

    /** What a call ends with that was to work under the lock, and was not granted it. */
    public abstract LockTimeoutException notGranted(Duration wait);

    /** How often the owner holds the lock validly. */
    public abstract int holdCount(Owner owner);

    public abstract long token(Owner owner);

    // --- the calling thread's holds, blocking ---

    @Override
    public void lock() {
        lock(unnamed);
    }

    @Override
    public void lock(long leaseTime, TimeUnit unit) {
        lock(named(leaseTime, unit));
    }

    private void lock(LeaseTerm lease) {
        take(lease, Ticket.NEVER, "lock");
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        await(currentOwner(), unnamed, Ticket.NEVER, "lockInterruptibly");
    }

    @Override
    public void lockInterruptibly(long leaseTime, TimeUnit unit) throws InterruptedException {
        await(currentOwner(), named(leaseTime, unit), Ticket.NEVER, "lockInterruptibly");
    }

    @Override
    public boolean tryLock() {
        return take(unnamed, 0, "tryLock").isPresent();
    }

    @Override
    public boolean tryLock(long waitTime, TimeUnit unit) throws InterruptedException {
        return await(currentOwner(), unnamed, waitNanos(waitTime, unit), "tryLock")
                .isPresent();
    }

    @Override
    public boolean tryLock(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException {
        return await(currentOwner(), named(leaseTime, unit), waitNanos(waitTime, unit), "tryLock")
                .isPresent();
    }

    @Override
    public void unlock() {
        Parked<Done> parked = parked("unlock");
        beforeUnlock(currentOwner());
        release(currentOwner(), parked);
        parked.await();
    }

    // --- holds of their own, blocking ---

    @Override
    public LockHold acquire() throws InterruptedException {
        return only(await(newOwner(), unnamed, Ticket.NEVER, "acquire"));
    }

    @Override
    public Optional<LockHold> tryAcquire() {
        return take(newOwner(), unnamed, 0, "tryAcquire").map(this::handle);
    }

    @Override
    public Optional<LockHold> tryAcquire(Duration wait) throws InterruptedException {
        return await(newOwner(), unnamed, waitNanos(wait), "tryAcquire").map(this::handle);
    }

    @Override
    public Optional<LockHold> tryAcquire(Duration wait, Duration lease) throws InterruptedException {
        return await(newOwner(), LeaseTerm.of(lease, options), waitNanos(wait), "tryAcquire")
                .map(this::handle);
    }

    // --- work under the lock ---

    @Override
    public <X extends Exception> void run(Duration wait, LockedAction<X> action) throws X, InterruptedException {
        Objects.requireNonNull(action, "action");
        this.<Done, X>call(wait, hold -> {
            action.run(hold);
            return Done.DONE;
        });
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(Duration wait, LockedTask<T, X> task)
            throws X, InterruptedException {
        Objects.requireNonNull(task, "task");
        try (LockHold hold = tryAcquire(wait).orElseThrow(() -> notGranted(wait))) {
            return task.call(hold);
        }
    }

    // --- asynchronous ---

    @Override
    public RFuture<Void> lockAsync() {
        return lockAsync(currentOwner(), unnamed);
    }

    @Override
    public RFuture<Void> lockAsync(long threadId) {
        return lockAsync(Owner.thread(threadId), unnamed);
    }

    @Override
    public RFuture<Void> lockAsync(long leaseTime, TimeUnit unit) {
        return lockAsync(currentOwner(), named(leaseTime, unit));
    }

    @Override
    public RFuture<Void> lockAsync(long leaseTime, TimeUnit unit, long threadId) {
        return lockAsync(Owner.thread(threadId), named(leaseTime, unit));
    }

    @SuppressWarnings("NullAway") // the only value that Void has
    private RFuture<Void> lockAsync(Owner owner, LeaseTerm lease) {
        return promise(owner, lease, Ticket.NEVER, granted -> null);
    }

    @Override
    public RFuture<Boolean> tryLockAsync() {
        return tryLockAsync(currentOwner(), unnamed, 0);
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long threadId) {
        return tryLockAsync(Owner.thread(threadId), unnamed, 0);
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long waitTime, TimeUnit unit) {
        return tryLockAsync(currentOwner(), unnamed, waitNanos(waitTime, unit));
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit) {
        return tryLockAsync(currentOwner(), named(leaseTime, unit), waitNanos(waitTime, unit));
    }

    @Override
    public RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId) {
        return tryLockAsync(Owner.thread(threadId), named(leaseTime, unit), waitNanos(waitTime, unit));
    }

    private RFuture<Boolean> tryLockAsync(Owner owner, LeaseTerm lease, long waitNanos) {
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
        Promise<Done, Void> promise = Promise.ofDone(callbacks);
        release(owner, promise);
        return promise.future();
    }

    @Override
    public RFuture<LockHold> acquireAsync() {
        return promise(newOwner(), unnamed, Ticket.NEVER, this::only);
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireAsync() {
        return tryAcquireAsync(0, unnamed);
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(waitNanos(wait), unnamed);
    }

    @Override
    public RFuture<Optional<LockHold>> tryAcquireAsync(Duration wait, Duration lease) {
        return tryAcquireAsync(waitNanos(wait), LeaseTerm.of(lease, options));
    }

    private RFuture<Optional<LockHold>> tryAcquireAsync(long waitNanos, LeaseTerm lease) {
        return promise(newOwner(), lease, waitNanos, granted -> granted.map(this::handle));
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
        Promise<Boolean, Boolean> promise = Promise.of(callbacks);
        force(promise);
        return promise.future();
    }

    @Override
    public boolean isLocked() {
        Parked<Boolean> parked = parked("isLocked");
        askWhetherLocked(parked);
        return parked.await();
    }

    @Override
    public RFuture<Boolean> isLockedAsync() {
        Promise<Boolean, Boolean> promise = Promise.of(callbacks);
        askWhetherLocked(promise);
        return promise.future();
    }

    @Override
    public long remainTimeToLive() {
        Parked<Long> parked = parked("remainTimeToLive");
        askTimeToLive(parked);
        return parked.await();
    }

    @Override
    public RFuture<Long> remainTimeToLiveAsync() {
        Promise<Long, Long> promise = Promise.of(callbacks);
        askTimeToLive(promise);
        return promise.future();
    }

    @Override
    public LockInfo inspect() {
        Parked<LockInfo> parked = parked("inspect");
        askEverything(parked);
        return parked.await();
    }

    @Override
    public RFuture<LockInfo> inspectAsync() {
        Promise<LockInfo, LockInfo> promise = Promise.of(callbacks);
        askEverything(promise);
        return promise.future();
    }

    @Override
    public boolean isHeldByThread(long threadId) {
        return holdCount(Owner.thread(threadId)) > 0;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount(currentOwner()) > 0;
    }

    @Override
    public RFuture<Boolean> isHeldByThreadAsync(long threadId) {
        return known(() -> isHeldByThread(threadId));
    }

    @Override
    public int getHoldCount() {
        return holdCount(currentOwner());
    }

    @Override
    public RFuture<Integer> getHoldCountAsync() {
        return known(this::getHoldCount);
    }

    @Override
    public RFuture<Integer> getHoldCountAsync(long threadId) {
        return known(() -> holdCount(Owner.thread(threadId)));
    }

    @Override
    public long getFencingToken() {
        return token(currentOwner());
    }

    @Override
    public RCondition newCondition() {
        return newCondition(DEFAULT_CONDITION);
    }

    @Override
    public RCondition newCondition(String condition) {
        Objects.requireNonNull(condition, "condition");
        throw new UnsupportedOperationException(Printable.message("lock '" + Printable.of(getName())
                + "': there are no conditions, since " + whyNoConditions() + " (expected: a lock of getFairLock)"));
    }

    /** The reason, for a message. */
    public abstract String whyNoConditions();

    @Override
    public String toString() {
        return "RLock{" + Printable.of(getName()) + '}';
    }

    // --- the ways down ---

    LeaseTerm unnamed() {
        return unnamed;
    }

    /** The options of a view with this lease. */
    public LockOptions optionsWith(Duration lease) {
        long millis = LeaseTerm.of(lease, options).millis();
        return options.toBuilder().lease(Duration.ofMillis(millis)).build();
    }

    LeaseTerm named(long leaseTime, TimeUnit unit) {
        LeaseTerm lease = latest;
        if (!lease.isNamed(leaseTime, unit)) {
            lease = LeaseTerm.of(leaseTime, unit, options);
            latest = lease;
        }
        return lease;
    }

    /** Takes the lock for the calling thread; an interrupt does not end the wait, and the flag is kept. */
    Optional<H> take(LeaseTerm lease, long waitNanos, String operation) {
        return take(currentOwner(), lease, waitNanos, operation);
    }

    private Optional<H> take(Owner owner, LeaseTerm lease, long waitNanos, String operation) {
        Parked<Optional<H>> parked =
                waitNanos <= 0 ? parked(operation) : Parked.forOthers(blocker, operation, getName());
        begin(owner, lease, waitNanos, Thread.currentThread(), parked);
        return parked.await();
    }

    private Optional<H> await(Owner owner, LeaseTerm lease, long waitNanos, String operation)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(
                    "interrupted before " + operation + " on lock '" + Printable.of(getName()) + "'");
        }
        Parked<Optional<H>> parked = Parked.forOthers(blocker, operation, getName());
        C call = begin(owner, lease, waitNanos, Thread.currentThread(), parked);
        return parked.awaitInterruptibly(() -> withdraw(call));
    }

    <V extends @Nullable Object> RFuture<V> promise(
            Owner owner, LeaseTerm lease, long waitNanos, Function<Optional<H>, V> view) {
        Promise<Optional<H>, V> promise = new Promise<>(callbacks, view, granted -> granted.ifPresent(this::giveBack));
        C call = begin(owner, lease, waitNanos, null, promise);
        promise.onWithdrawn(() -> withdraw(call));
        return promise.future();
    }

    private LockHold only(Optional<H> granted) {
        return handle(granted.orElseThrow(() -> new IllegalStateException("a wait without a limit was refused")));
    }

    /** A future of what can be told at once. */
    <V> RFuture<V> known(Supplier<V> answer) {
        HoldfastFuture<V> future = new HoldfastFuture<>(callbacks);
        try {
            future.complete(answer.get());
        } catch (RuntimeException failure) {
            future.completeExceptionally(failure);
        }
        return future;
    }

    private <T> Parked<T> parked(String operation) {
        return new Parked<>(blocker, operation, getName());
    }

    static Owner currentOwner() {
        return Owner.thread(Thread.currentThread().getId());
    }

    static long waitNanos(long wait, TimeUnit unit) {
        return Ticket.waitNanos(Objects.requireNonNull(unit, "unit").toNanos(wait));
    }

    private static long waitNanos(Duration wait) {
        return Ticket.waitNanos(Objects.requireNonNull(wait, "wait"));
    }
}
