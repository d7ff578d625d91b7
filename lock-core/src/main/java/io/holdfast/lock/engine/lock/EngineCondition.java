package io.holdfast.lock.engine.lock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.RCondition;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.ConditionName;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Awaiting;
import io.holdfast.lock.engine.wait.AwaitTicket;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Blocker;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Date;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A condition as its user sees it (rules 63, 64). */
final class EngineCondition implements RCondition {

    private final EngineLock lock;
    private final Awaiting kind;
    private final Blocker blocker;

    EngineCondition(EngineLock lock, ConditionName name) {
        this.lock = lock;
        this.kind = new Awaiting(name);
        this.blocker = lock.facts.runtime().blocker();
    }

    @Override
    public String getName() {
        return kind.condition().name;
    }

    // --- to await ---

    @Override
    public void await() throws InterruptedException {
        outlast(Ticket.NEVER, "await");
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return !outlast(unit(unit).toNanos(time), "await").timedOut();
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
        long began = lock.facts.nanos();
        boolean timedOut = outlast(nanos, "awaitNanos").timedOut();
        long left = nanos - (lock.facts.nanos() - began);
        return timedOut ? Math.min(0, left) : left;
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        Duration left = Duration.between(lock.facts.runtime().timeOfDay(), deadline.toInstant());
        return !outlast(Ticket.waitNanos(left), "awaitUntil").timedOut();
    }

    @Override
    public void awaitUninterruptibly() {
        Parked<Optional<Hold>> parked = parkedForOthers("awaitUninterruptibly");
        begin(LockFacade.currentOwner(), Ticket.NEVER, Thread.currentThread(), parked);
        parked.await();
    }

    private AwaitTicket outlast(long nanos, String method) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + method + " on " + this);
        }
        Parked<Optional<Hold>> parked = parkedForOthers(method);
        AwaitTicket call = begin(LockFacade.currentOwner(), nanos, Thread.currentThread(), parked);
        parked.awaitTelling(() -> lock.calls().leaveCondition(call, true));
        if (call.wasInterrupted()) {
            Thread.interrupted();
            throw new InterruptedException();
        }
        return call;
    }

    @Override
    public RFuture<Void> awaitAsync() {
        return promise(LockFacade.currentOwner());
    }

    @Override
    public RFuture<Void> awaitAsync(long threadId) {
        return promise(Owner.thread(threadId));
    }

    @SuppressWarnings("NullAway") // the only value that Void has
    private RFuture<Void> promise(Owner owner) {
        return promise(owner, Ticket.NEVER, call -> null);
    }

    @Override
    public RFuture<Boolean> awaitAsync(long time, TimeUnit unit) {
        return promise(LockFacade.currentOwner(), unit(unit).toNanos(time), call -> !call.timedOut());
    }

    @Override
    public RFuture<Boolean> awaitAsync(long time, TimeUnit unit, long threadId) {
        return promise(Owner.thread(threadId), unit(unit).toNanos(time), call -> !call.timedOut());
    }

    private <V extends @Nullable Object> RFuture<V> promise(Owner owner, long nanos, Function<AwaitTicket, V> view) {
        AwaitTicket[] call = new AwaitTicket[1];
        Promise<Optional<Hold>, V> promise = new Promise<>(
                lock.facts.callbacks(), granted -> view.apply(call[0]), granted -> granted.ifPresent(this::giveBack));
        try {
            AwaitTicket begun = ticket(owner, nanos, null, promise);
            call[0] = begun;
            promise.onWithdrawn(() -> lock.withdraw(begun));
            begin(begun);
        } catch (IllegalMonitorStateException | LockException refused) {
            promise.fail(refused);
        }
        return promise.future();
    }

    /** The hold has as many levels as the one that was given up: all of them are given back. */
    private void giveBack(Hold hold) {
        int levels = hold.count();
        for (int i = 0; i < levels; i++) {
            lock.giveBack(hold);
        }
    }

    private AwaitTicket begin(Owner owner, long nanos, Thread thread, Pending<Optional<Hold>> result) {
        AwaitTicket call = ticket(owner, nanos, thread, result);
        begin(call);
        return call;
    }

    private void begin(AwaitTicket call) {
        call.given.cell.run(() -> lock.operations().await(call));
    }

    private AwaitTicket ticket(Owner owner, long nanos, @Nullable Thread thread, Pending<Optional<Hold>> result) {
        Hold hold = lock.held(owner);
        long now = lock.facts.nanos();
        Terms terms = lock.calls().events().started(new Terms(kind, hold.options()), lock.keys);
        long wait = Math.max(0, Ticket.waitNanos(nanos));
        Long due = wait == Ticket.NEVER ? null : Long.valueOf(now + wait);
        return new AwaitTicket(lock.keys, terms, hold, due, thread, now, result);
    }

    // --- to signal ---

    @Override
    public void signal() {
        signal(LockFacade.currentOwner(), false, this.<Done>parked("signal")).await();
    }

    @Override
    public void signalAll() {
        signal(LockFacade.currentOwner(), true, this.<Done>parked("signalAll")).await();
    }

    @Override
    public RFuture<Void> signalAsync() {
        return signalAsync(LockFacade.currentOwner(), false);
    }

    @Override
    public RFuture<Void> signalAsync(long threadId) {
        return signalAsync(Owner.thread(threadId), false);
    }

    @Override
    public RFuture<Void> signalAllAsync() {
        return signalAsync(LockFacade.currentOwner(), true);
    }

    @Override
    public RFuture<Void> signalAllAsync(long threadId) {
        return signalAsync(Owner.thread(threadId), true);
    }

    private RFuture<Void> signalAsync(Owner owner, boolean all) {
        return signal(owner, all, Promise.ofDone(lock.facts.callbacks())).future();
    }

    private <P extends Pending<Done>> P signal(Owner owner, boolean all, P result) {
        try {
            Hold hold = lock.held(owner);
            hold.cell.run(() -> lock.operations().signal(hold, kind, all, result));
        } catch (IllegalMonitorStateException | LockException refused) {
            result.fail(refused);
        }
        return result;
    }

    // --- the ways down ---

    private <T> Parked<T> parked(String method) {
        return new Parked<>(blocker, method, lock.getName());
    }

    private Parked<Optional<Hold>> parkedForOthers(String method) {
        return Parked.forOthers(blocker, method, lock.getName());
    }

    private static TimeUnit unit(TimeUnit unit) {
        return Objects.requireNonNull(unit, "unit");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EngineCondition that && lock.equals(that.lock) && kind.equals(that.kind);
    }

    @Override
    public int hashCode() {
        return 31 * lock.hashCode() + kind.hashCode();
    }

    @Override
    public String toString() {
        return "condition '" + kind.condition() + "' of lock '" + Printable.of(lock.getName()) + '\'';
    }
}
