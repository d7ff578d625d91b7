package io.holdfast.lock.engine.permit;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Gathering;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Holds;
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

    // --- giving back ---

    @Override
    public void release() {
        release(1);
    }

    @Override
    public void release(int permits) {
        taking.check(permits);
        release(permits, this.<Done>parked("release")).await();
    }

    @Override
    public RFuture<Void> releaseAsync() {
        return releaseAsync(1);
    }

    @Override
    public RFuture<Void> releaseAsync(int permits) {
        taking.check(permits);
        return doneLater(result -> release(permits, result));
    }

    private <P extends Pending<Done>> P release(int permits, P result) {
        LockCell cell = cells.ifPresent(keys);
        if (cell == null) {
            result.fail(tooFew(permits, 0));
            return result;
        }
        cell.run(() -> {
            List<Hold> newest = newest(cell.holds(), permits);
            if (newest.size() == permits) {
                Gathering<Done, Done> all = new Gathering<>(permits, done -> Done.DONE, result);
                newest.forEach(hold -> operations.release(hold, all.one()));
            } else if (cell.isRetired()) {
                release(permits, result);
            } else {
                result.fail(tooFew(permits, newest.size()));
            }
        });
        return result;
    }

    /** The permits that this client has taken last, and no more than it has. */
    private static List<Hold> newest(Holds holds, int permits) {
        List<Hold> newest = new ArrayList<>();
        for (int i = holds.size() - 1; i >= 0 && newest.size() < permits; i--) {
            Hold hold = holds.get(i);
            if (hold.kind() == Permits.OF_CLIENT && hold.isAlive()) {
                newest.add(hold);
            }
        }
        return newest;
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
        return drain(this.<Integer>parked("drainPermits")).await();
    }

    @Override
    public RFuture<Integer> drainPermitsAsync() {
        return drain(new Promise<Integer, Integer>(facts.callbacks(), taken -> taken, this::giveBack))
                .future();
    }

    private void giveBack(int permits) {
        if (permits > 0) {
            release(permits, new Unwanted<>());
        }
    }

    private <P extends Pending<Integer>> P drain(P result) {
        new Drain(result).look();
        return result;
    }

    /** Looks how many there are, and takes them; again, until none is left or other calls get them. */
    private final class Drain {

        private final Pending<Integer> result;
        private int taken;

        Drain(Pending<Integer> result) {
            this.result = result;
        }

        void look() {
            limit.look(SemaphoreState::available, new Pending<Integer>() {
                @Override
                public void onSettled() {
                    Throwable failure = failure();
                    if (failure != null) {
                        end(failure);
                    } else if (value() > 0) {
                        // Listeners are told on the caller's thread that a call begins, and this one is inside a step.
                        facts.callbacks().execute(() -> take(Taking.atOnce(value())));
                    } else {
                        end();
                    }
                }
            });
        }

        private void take(int permits) {
            Pending<Optional<Hold>> answer = new Pending<>() {
                @Override
                public void onSettled() {
                    Throwable failure = failure();
                    if (failure != null) {
                        end(failure);
                    } else if (value().isPresent()) {
                        taken += permits;
                        look();
                    } else {
                        end();
                    }
                }
            };
            taking.begin(permits, lease, 0, answer, new ArrayList<>());
        }

        /** What was taken before is the caller's: it is told of that, and not of the failure. */
        private void end(Throwable failure) {
            if (taken > 0) {
                end();
            } else {
                result.fail(failure);
            }
        }

        private void end() {
            if (!result.complete(taken)) {
                giveBack(taken);
            }
        }
    }
}
