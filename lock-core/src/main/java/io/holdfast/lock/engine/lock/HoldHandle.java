package io.holdfast.lock.engine.lock;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Logging;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Lease;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A hold as its user sees it. */
public final class HoldHandle implements LockHold {

    private static final Logger log = LoggerFactory.getLogger(HoldHandle.class);

    private final ClientFacts facts;
    private final HoldOperations operations;
    private final Hold hold;
    private final AtomicBoolean closed = new AtomicBoolean();

    public HoldHandle(Hold hold, HoldOperations operations) {
        this.facts = hold.cell.facts;
        this.operations = operations;
        this.hold = hold;
    }

    @Override
    public String lockName() {
        return hold.cell.names.name();
    }

    @Override
    public String owner() {
        return hold.ownerText();
    }

    @Override
    public long fencingToken() {
        throwIfLost();
        facts.checkTokens(lockName());
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
        hold.lost().thenAccept(loss -> {
            try {
                callback.accept(loss);
            } catch (RuntimeException | Error broken) {
                Logging.attempt(
                        () -> log.warn("lock '{}': an onLost callback failed", Printable.of(lockName()), broken));
            }
        });
        return this;
    }

    @Override
    public CompletionStage<LockLoss> lost() {
        return hold.lost().minimalCompletionStage();
    }

    @Override
    public void extend(Duration lease) {
        extend(leaseMillis(lease));
    }

    private void extend(long millis) {
        Parked<Done> parked = new Parked<>(facts.runtime().blocker(), "extend of lock '" + lockName() + "'");
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
        Objects.requireNonNull(validity, "validity");
        throwIfLost();
        if (validFor().compareTo(validity) < 0) {
            extend(permitted(Lease.covering(validity, facts.commandNanos())));
        }
    }

    @Override
    public void close() {
        if (closed.get()) {
            return;
        }
        // First of all, for it refuses threads that must not wait; the hold is then as open as before.
        Parked<Done> parked = new Parked<>(facts.runtime().blocker(), "close of lock '" + lockName() + "'");
        if (closed.compareAndSet(false, true)) {
            sendRelease(parked);
            parked.await();
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

    /** Extends, for an argument that is not checked yet. */
    public void extend(Duration lease, Pending<Done> result) {
        sendExtension(leaseMillis(lease), result);
    }

    private void sendRelease(Pending<Done> result) {
        hold.cell.run(() -> operations.release(hold, result));
    }

    private void sendExtension(long millis, Pending<Done> result) {
        hold.cell.run(() -> operations.extend(hold, millis, result));
    }

    private long leaseMillis(Duration lease) {
        return permitted(Lease.ofExtension(lease));
    }

    private long permitted(Lease lease) {
        hold.options.maxHold().ifPresent(longest -> {
            long total = lease.millis() + hold.heldNanos() / 1_000_000;
            if (total > longest.toMillis()) {
                throw new IllegalArgumentException("lock '" + Printable.of(lockName()) + "': extending by "
                        + lease.millis() + " ms would exceed maxHold: " + longest);
            }
        });
        return lease.millis();
    }

    private void throwIfLost() {
        LockLoss loss = hold.loss();
        if (loss != null) {
            throw Failures.lost(loss);
        }
    }

    @Override
    public String toString() {
        return "LockHold{" + hold + ", " + hold.state() + '}';
    }
}
