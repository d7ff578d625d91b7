package io.holdfast.lock.engine.multi;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Gathering;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.lock.HoldView;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The holds of several locks as one: as good as the worst of them. */
public final class MultiHold implements LockHold {

    private final MultiLocks.Composed lock;
    private final List<HoldView> members;
    private final ClientFacts facts;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whether a callback has heard of the loss. */
    private volatile boolean lossTold;

    MultiHold(MultiLocks.Composed lock, List<HoldView> members) {
        this.lock = lock;
        this.members = members;
        this.facts = lock.members().get(0).facts;
    }

    @Override
    public String name() {
        return lock.getName();
    }

    @Override
    public String owner() {
        return members.get(0).owner();
    }

    @Override
    public long fencingToken() {
        return members.stream().mapToLong(LockHold::fencingToken).max().orElse(0);
    }

    @Override
    public HoldState state() {
        HoldState worst = HoldState.HELD;
        for (LockHold member : members) {
            HoldState state = member.state();
            if (state == HoldState.LOST) {
                return state;
            }
            if (state == HoldState.RELEASED || worst == HoldState.HELD) {
                worst = state;
            }
        }
        return worst;
    }

    @Override
    public Duration validFor() {
        return members.stream().map(LockHold::validFor).min(Duration::compareTo).orElse(Duration.ZERO);
    }

    @Override
    public LockHold onLost(Consumer<? super LockLoss> callback) {
        Objects.requireNonNull(callback, "callback");
        AtomicBoolean told = new AtomicBoolean();
        for (LockHold member : members) {
            member.onLost(loss -> {
                if (told.compareAndSet(false, true)) {
                    lossTold = true;
                    callback.accept(loss);
                }
            });
        }
        return this;
    }

    @Override
    public CompletionStage<LockLoss> lost() {
        CompletableFuture<LockLoss> first = new CompletableFuture<>();
        members.forEach(member -> member.onLost(first::complete));
        return first.minimalCompletionStage();
    }

    @Override
    public void extend(Duration lease) {
        Parked<Done> parked = parked("extend");
        extend(lease, parked);
        parked.await();
    }

    @Override
    public RFuture<Void> extendAsync(Duration lease) {
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        extend(lease, promise);
        return promise.future();
    }

    /** Extends all members, or none if the lease is too long for one; where one fails, says which were extended. */
    private void extend(Duration lease, Pending<Done> result) {
        members.forEach(member -> member.checkExtension(lease));
        ExtendedTogether together = new ExtendedTogether(result);
        gather((member, one) -> member.extend(lease, together.of(member, one)), together);
    }

    @Override
    public void ensure(Duration validity) {
        members.forEach(member -> member.ensure(validity));
    }

    @Override
    public RFuture<Void> ensureAsync(Duration validity) {
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        gather((member, one) -> member.ensure(validity, one), promise);
        return promise.future();
    }

    @Override
    public void release() {
        if (closed.get()) {
            return;
        }
        Parked<Done> parked = parked("release");
        if (closed.compareAndSet(false, true)) {
            gather(this::release, parked);
            parked.await();
        }
    }

    @Override
    public void close() {
        HoldView.closeBy(this::release, lossTold);
    }

    @Override
    public RFuture<Void> releaseAsync() {
        Promise<Done, Void> promise = Promise.ofDone(facts.callbacks());
        if (closed.compareAndSet(false, true)) {
            gather(this::release, promise);
        } else {
            promise.complete(Done.DONE);
        }
        return promise.future();
    }

    /** No caller wants it. */
    void giveBack() {
        closed.set(true);
        gather(this::release, new Unwanted<>());
    }

    private void release(HoldView member, Pending<Done> result) {
        member.release(lock.identity(), result);
    }

    private void gather(BiConsumer<HoldView, Pending<Done>> operation, Pending<Done> result) {
        Gathering<Done, Done> gathering = new Gathering<>(members.size(), all -> Done.DONE, result);
        for (int i = members.size() - 1; i >= 0; i--) {
            operation.accept(members.get(i), gathering.one());
        }
    }

    private Parked<Done> parked(String operation) {
        return new Parked<>(facts.runtime().blocker(), operation + " of lock '" + Printable.of(lock.getName()) + "'");
    }

    @Override
    public String toString() {
        return "LockHold{" + Printable.message(members) + '}';
    }
}
