package io.holdfast.lock.engine.permit;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Gathering;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.kind.Permits;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.wait.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A semaphore whose permits belong to the client, as its user sees it (rule 57). */
public final class EngineSemaphore extends LimitFacade implements RSemaphore {

    private final Cells cells;
    private final HoldOperations operations;
    private final PermitKeys keys;
    private final Taking taking;
    private final LeaseTerm lease;

    public EngineSemaphore(SemaphoreParts parts, PermitKeys keys, LockOptions options) {
        super(parts.facts(), keys.named(), new Limit(parts, keys));
        this.cells = parts.cells();
        this.operations = parts.operations();
        this.keys = keys;
        this.taking = new Taking(parts, keys, Permits.OF_CLIENT, options);
        this.lease = LeaseTerm.of(LeaseTerm.WATCHDOG, TimeUnit.MILLISECONDS, options);
    }

    // --- taking ---

    @Override
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    @Override
    public void acquire(int permits) throws InterruptedException {
        taking.await(permits, lease, Ticket.NEVER, "acquire");
    }

    @Override
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public boolean tryAcquire(int permits) {
        return !taking.tryOnce(permits, lease, "tryAcquire").isEmpty();
    }

    @Override
    public boolean tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire(1, wait);
    }

    @Override
    public boolean tryAcquire(int permits, Duration wait) throws InterruptedException {
        return !taking.await(permits, lease, Taking.waitNanos(wait), "tryAcquire")
                .isEmpty();
    }

    @Override
    public boolean tryAcquire(long waitTime, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, waitTime, unit);
    }

    @Override
    public boolean tryAcquire(int permits, long waitTime, TimeUnit unit) throws InterruptedException {
        return !taking.await(permits, lease, Taking.waitNanos(waitTime, unit), "tryAcquire")
                .isEmpty();
    }

    @Override
    public RFuture<Void> acquireAsync() {
        return acquireAsync(1);
    }

    @Override
    @SuppressWarnings("NullAway") // the only value that Void has
    public RFuture<Void> acquireAsync(int permits) {
        return taking.promise(permits, lease, Ticket.NEVER, granted -> null);
    }

    @Override
    public RFuture<Boolean> tryAcquireAsync() {
        return tryAcquireAsync(1);
    }

    @Override
    public RFuture<Boolean> tryAcquireAsync(int permits) {
        return taking.promise(permits, lease, 0, granted -> !granted.isEmpty());
    }

    @Override
    public RFuture<Boolean> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(1, wait);
    }

    @Override
    public RFuture<Boolean> tryAcquireAsync(int permits, Duration wait) {
        return taking.promise(permits, lease, Taking.waitNanos(wait), granted -> !granted.isEmpty());
    }

    @Override
    public RFuture<Boolean> tryAcquireAsync(long waitTime, TimeUnit unit) {
        return tryAcquireAsync(1, waitTime, unit);
    }

    @Override
    public RFuture<Boolean> tryAcquireAsync(int permits, long waitTime, TimeUnit unit) {
        return taking.promise(permits, lease, Taking.waitNanos(waitTime, unit), granted -> !granted.isEmpty());
    }

    // --- giving back ---

    @Override
    public void release() {
        release(1);
    }

    @Override
    public void release(int permits) {
        taking.check(permits);
        release(permits, Thread.currentThread(), this.<Done>parked("release")).await();
    }

    @Override
    public RFuture<Void> releaseAsync() {
        return releaseAsync(1);
    }

    @Override
    public RFuture<Void> releaseAsync(int permits) {
        taking.check(permits);
        Thread thread = Thread.currentThread();
        return doneLater(result -> release(permits, thread, result));
    }

    private <P extends Pending<Done>> P release(int permits, Thread thread, P result) {
        LockCell cell = cells.ifPresent(keys);
        if (facts.isClosed()) {
            result.fail(Failures.closed(named, "", facts.node()));
            return result;
        }
        if (cell == null) {
            result.fail(tooFew(permits, 0));
            return result;
        }
        cell.run(() -> {
            OwedPermits owed = new OwedPermits(cell, thread);
            List<Hold> first = owed.first(permits);
            if (first.size() == permits) {
                Gathering<Done, Done> all = new Gathering<>(permits, done -> Done.DONE, result);
                first.forEach(permit -> owed.release(permit, operations, all.one()));
            } else if (cell.isRetired()) {
                release(permits, thread, result);
            } else {
                result.fail(tooFew(permits, first.size()));
            }
        });
        return result;
    }

    private IllegalStateException tooFew(int permits, int held) {
        return new IllegalStateException(named + ", client " + facts.clientId() + ", " + facts.node() + ": " + permits
                + " to be released, and this client holds " + held
                + " (expected: no more than it has taken and not lost; setPermits changes how many there are, and"
                + " RPermitExpirableSemaphore.release(permitId) gives back what another client has taken)");
    }

    // --- taking all that are left ---

    @Override
    public int drainPermits() {
        taking.check(lease);
        Draining draining = new Draining();
        try {
            for (int permits = seen(draining); permits > 0; permits = seen(draining)) {
                take(draining, permits);
            }
        } catch (LockException failure) {
            // What was taken before is the caller's, which is told of that.
            if (draining.granted().isEmpty() || facts.isClosed()) {
                throw failure;
            }
        }
        return draining.granted().size();
    }

    private int seen(Draining draining) {
        return draining.next(limit.look(SemaphoreState::available, this.<Integer>parked("drainPermits"))
                .await());
    }

    private void take(Draining draining, int permits) {
        try {
            draining.answered(permits, taking.tryOnce(permits, lease, "drainPermits"));
        } catch (LockException failure) {
            draining.failed(permits, failure);
        }
    }

    @Override
    public RFuture<Integer> drainPermitsAsync() {
        taking.check(lease);
        Draining draining = new Draining();
        Promise<Integer, Integer> promise = new Promise<>(
                facts.callbacks(), taken -> taken, taken -> draining.granted().forEach(taking::giveBack));
        drain(draining, promise);
        return promise.future();
    }

    private void drain(Draining draining, Pending<Integer> result) {
        limit.look(SemaphoreState::available, new Pending<Integer>() {
            @Override
            public void onSettled() {
                Throwable failure = failure();
                if (failure == null) {
                    // Not within this step: listeners are told that a call begins.
                    facts.callbacks().execute(() -> take(draining, draining.next(value()), result));
                } else {
                    end(draining, result, failure);
                }
            }
        });
    }

    private void take(Draining draining, int permits, Pending<Integer> result) {
        if (permits == 0 || result.isSettled()) {
            end(draining, result, null);
            return;
        }
        List<Hold> granted = new ArrayList<>(permits);
        Pending<Optional<Hold>> answer = new Pending<>() {
            @Override
            public void onSettled() {
                try {
                    if (failure() instanceof LockException failure) {
                        draining.failed(permits, failure);
                    } else {
                        draining.answered(permits, granted);
                    }
                    drain(draining, result);
                } catch (LockException failure) {
                    end(draining, result, failure);
                }
            }
        };
        try {
            taking.begin(permits, lease, 0, null, answer, granted);
        } catch (RuntimeException | Error broken) {
            end(draining, result, broken);
        }
    }

    /** What was taken before a failure is the caller's, or given back if that does not want it any more. */
    private void end(Draining draining, Pending<Integer> result, @Nullable Throwable failure) {
        List<Hold> granted = draining.granted();
        boolean isCallers = !granted.isEmpty() && !facts.isClosed();
        boolean told = (failure == null || isCallers) ? result.complete(granted.size()) : result.fail(failure);
        if (!told) {
            granted.forEach(taking::giveBack);
        }
    }
}
