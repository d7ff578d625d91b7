package io.holdfast.lock.engine.lock;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A hold as its user sees it. */
public final class HoldView implements LockHold {

    private static final Logger log = LoggerFactory.getLogger(HoldView.class);

    private final ClientFacts facts;
    private final HoldOperations operations;
    private final Hold hold;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whether a callback has heard of the loss. */
    private volatile boolean lossTold;

    public HoldView(Hold hold, HoldOperations operations) {
        this.facts = hold.cell.facts;
        this.operations = operations;
        this.hold = hold;
    }

    @Override
    public String name() {
        return hold.cell.keys.name();
    }

    @Override
    public String owner() {
        return hold.ownerText();
    }

    @Override
    public long fencingToken() {
        throwIfLost();
        facts.checkTokens(name());
        return hold.token;
    }

    @Override
    public HoldState state() {
        return hold.state();
    }

    @Override
    public Duration validFor() {
        long left = hold.validUntilNanos() - hold.cell.nanos();
        return hold.isAlive() && left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    @Override
    public LockHold onLost(Consumer<? super LockLoss> callback) {
        Objects.requireNonNull(callback, "callback");
        hold.onLost(loss -> {
            lossTold = true;
            try {
                callback.accept(loss);
            } catch (RuntimeException | Error broken) {
                Logging.attempt(() -> log.warn("{}: an onLost callback failed", hold.cell.keys.named(), broken));
            }
        });
        return this;
    }

    @Override
    public CompletionStage<LockLoss> lost() {
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        hold.onLost(told::complete);
        return told.minimalCompletionStage();
    }

    @Override
    public void extend(Duration lease) {
        extend(leaseMillis(lease));
    }

    private void extend(long millis) {
        Parked<Done> parked = new Parked<>(facts.runtime().blocker(), "extend of " + hold.cell.keys.named());
        sendExtension(millis, parked);
        parked.await();
    }

    @Override
    public RFuture<Void> extendAsync(Duration lease) {
        long millis = leaseMillis(lease);
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        sendExtension(millis, promise);
        return promise.future();
    }

    @Override
    public void ensure(Duration validity) {
        throwIfLost();
        long millis = missingMillis(validity);
        if (millis > 0) {
            extend(millis);
        }
    }

    @Override
    public RFuture<Void> ensureAsync(Duration validity) {
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        ensure(validity, promise);
        return promise.future();
    }

    /** The lease that makes the hold last so long; 0 if it does already. */
    private long missingMillis(Duration validity) {
        return validFor().compareTo(Objects.requireNonNull(validity, "validity")) < 0
                ? permitted(LeaseTerm.covering(validity, facts.commandNanos()))
                : 0;
    }

    @Override
    public void release() {
        if (closed.get()) {
            return;
        }
        // First of all, for it refuses threads that must not wait; the hold is then as open as before.
        Parked<Done> parked = new Parked<>(facts.runtime().blocker(), "release of " + hold.cell.keys.named());
        NextCaller.lookFor(hold);
        if (closed.compareAndSet(false, true)) {
            sendRelease(parked);
            parked.await();
        }
    }

    @Override
    public void close() {
        closeBy(this::release, lossTold);
    }

    /**
     * Closes a hold.
     *
     * @param told whether a callback had heard of the loss by now: then it is not thrown as well, and what was done under the
     *     hold has its result
     */
    public static void closeBy(Runnable release, boolean told) {
        try {
            release.run();
        } catch (LockLostException lost) {
            if (!told || !Stream.of(lost.getSuppressed()).allMatch(LockLostException.class::isInstance)) {
                throw lost;
            }
        }
    }

    @Override
    public RFuture<Void> releaseAsync() {
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        if (closed.compareAndSet(false, true)) {
            sendRelease(promise);
        } else {
            hold.cell.run(() -> operations.follow(hold, promise));
        }
        return promise.future();
    }

    /** Releases the level that a MultiLock took, whatever was closed before. */
    public void release(Object taker, Pending<Done> result) {
        hold.cell.run(() -> operations.release(hold, taker, result));
    }

    /** Throws if {@link #extend} would, for its argument alone. */
    public void checkExtension(Duration lease) {
        leaseMillis(lease);
    }

    /** Extends, for an argument that is not checked yet. */
    public void extend(Duration lease, Pending<Done> result) {
        sendExtension(leaseMillis(lease), result);
    }

    /** As {@link #ensure}, for an argument that is not checked yet. */
    public void ensure(Duration validity, Pending<Done> result) {
        LockLoss loss = hold.loss();
        if (loss != null) {
            result.fail(Failures.lost(hold.cell.keys.named(), loss));
            return;
        }
        long millis = missingMillis(validity);
        if (millis == 0) {
            result.complete(Done.DONE);
        } else {
            sendExtension(millis, result);
        }
    }

    private void sendRelease(Pending<Done> result) {
        hold.cell.run(() -> operations.release(hold, result));
    }

    private void sendExtension(long millis, Pending<Done> result) {
        hold.cell.run(() -> operations.extend(hold, millis, result));
    }

    private long leaseMillis(Duration lease) {
        return permitted(LeaseTerm.ofExtension(lease));
    }

    private long permitted(LeaseTerm lease) {
        hold.options().maxHold().ifPresent(longest -> {
            long total = lease.millis() + hold.heldNanos() / 1_000_000;
            if (total > longest.toMillis()) {
                throw new IllegalArgumentException(hold.cell.keys.named() + ": extending by " + lease.millis()
                        + " ms would exceed maxHold: " + Durations.of(longest));
            }
        });
        facts.checkLease(hold.cell.keys, lease.millis());
        return lease.millis();
    }

    private void throwIfLost() {
        LockLoss loss = hold.loss();
        if (loss != null) {
            throw Failures.lost(hold.cell.keys.named(), loss);
        }
    }

    @Override
    public String toString() {
        return "LockHold{" + hold + ", " + hold.state() + '}';
    }
}
