package io.holdfast.lock.engine.permit;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.wait.Acquisitions;
import io.holdfast.lock.engine.wait.PermitTicket;
import io.holdfast.lock.engine.wait.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How the permits of one semaphore are taken: by an ordinary acquisition, of several holds at once (rule 55). */
final class Taking {

    /** One script takes them all, and no other is run meanwhile. */
    private static final int MOST_AT_ONCE = 1_000;

    final ClientFacts facts;
    final PermitKeys keys;
    final LockOptions options;
    /** The semaphore, for messages. */
    final Named named;

    private final HoldOperations operations;
    private final Acquisitions calls;
    private final Terms terms;

    Taking(SemaphoreParts parts, PermitKeys keys, LockKind kind, LockOptions options) {
        this.facts = parts.facts();
        this.keys = keys;
        this.options = options;
        this.named = keys.named();
        this.operations = parts.operations();
        this.calls = operations.calls();
        this.terms = new Terms(kind, options);
    }

    // --- arguments ---

    void check(int permits) {
        if (permits < 1 || permits > MOST_AT_ONCE) {
            throw new IllegalArgumentException(
                    named + ": permits: " + permits + " (expected: 1 to " + MOST_AT_ONCE + " in one call)");
        }
    }

    /** Throws if a lease is longer than the failover guard protects (rule 89). */
    void check(LeaseTerm lease) {
        facts.checkLease(named, lease.millis());
    }

    /** How many of these can be taken in one call. */
    static int atOnce(long permits) {
        return (int) Math.min(permits, MOST_AT_ONCE);
    }

    static long waitNanos(long wait, TimeUnit unit) {
        return Ticket.waitNanos(Objects.requireNonNull(unit, "unit").toNanos(wait));
    }

    static long waitNanos(Duration wait) {
        return Ticket.waitNanos(Objects.requireNonNull(wait, "wait"));
    }

    // --- the ways down ---

    /** Takes permits, or none: then the list is empty. An interrupt ends the wait. */
    List<Hold> await(int permits, LeaseTerm lease, long waitNanos, String method) throws InterruptedException {
        check(permits);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before " + method + " on " + named);
        }
        Parked<Optional<Hold>> parked = Parked.forOthers(facts.runtime().blocker(), method, named);
        List<Hold> granted = new ArrayList<>(permits);
        PermitTicket call = begin(permits, lease, waitNanos, taker(), parked, granted);
        parked.awaitInterruptibly(() -> calls.withdraw(call));
        return granted;
    }

    /** The same without a wait, which an interrupt does not end. */
    List<Hold> tryOnce(int permits, LeaseTerm lease, String method) {
        check(permits);
        Parked<Optional<Hold>> parked = new Parked<>(facts.runtime().blocker(), method + " on " + named);
        List<Hold> granted = new ArrayList<>(permits);
        begin(permits, lease, 0, taker(), parked, granted);
        parked.await();
        return granted;
    }

    /** A future of permits, or of none: then the list is empty. */
    <V extends @Nullable Object> RFuture<V> promise(
            int permits, LeaseTerm lease, long waitNanos, Function<List<Hold>, V> view) {
        check(permits);
        List<Hold> granted = new ArrayList<>(permits);
        Promise<Optional<Hold>, V> promise = new Promise<Optional<Hold>, V>(
                facts.callbacks(), first -> view.apply(granted), first -> granted.forEach(this::giveBack));
        PermitTicket call = begin(permits, lease, waitNanos, null, promise, granted);
        promise.onWithdrawn(() -> calls.withdraw(call));
        return promise.future();
    }

    /**
     * Begins to take permits.
     *
     * @param taker the thread that is told of their losses when it releases; null if it is no single one
     * @param granted where the holds come, before the result is settled
     */
    PermitTicket begin(
            int permits,
            LeaseTerm lease,
            long waitNanos,
            @Nullable Thread taker,
            Pending<Optional<Hold>> result,
            List<Hold> granted) {
        check(lease);
        List<Terms> each = new ArrayList<>(permits);
        for (int i = 0; i < permits; i++) {
            each.add(calls.events().started(terms, keys));
        }
        PermitTicket ticket =
                new PermitTicket(keys, each, facts.newOwner(), lease, waitNanos, taker, facts.nanos(), result, granted);
        calls.acquire(ticket);
        return ticket;
    }

    /** The calling thread, where releases name no permit. */
    private @Nullable Thread taker() {
        return terms.kind().isAnonymous() ? Thread.currentThread() : null;
    }

    /** Gives back a permit that no caller has. */
    void giveBack(Hold hold) {
        hold.cell.run(() -> operations.release(hold, new Unwanted<>()));
    }
}
