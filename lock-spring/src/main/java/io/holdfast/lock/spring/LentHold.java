package io.holdfast.lock.spring;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The hold that a method is given: as good as the worst of those behind it. It can't be released, since it ends with the call,
 * and other calls may have joined it.
 */
final class LentHold implements LockHold {

    private final List<LockHold> holds;

    LentHold(List<LockHold> holds) {
        this.holds = holds;
    }

    @Override
    public String name() {
        return holds.size() == 1
                ? holds.get(0).name()
                : holds.stream().map(LockHold::name).collect(Collectors.joining(", "));
    }

    @Override
    public String owner() {
        return holds.get(holds.size() - 1).owner();
    }

    @Override
    public long fencingToken() {
        long highest = 0;
        for (LockHold hold : holds) {
            highest = Math.max(highest, hold.fencingToken());
        }
        return highest;
    }

    @Override
    public HoldState state() {
        HoldState worst = HoldState.HELD;
        for (LockHold hold : holds) {
            HoldState state = hold.state();
            if (state == HoldState.LOST) {
                return state;
            }
            worst = state == HoldState.RELEASED || worst == HoldState.HELD ? state : worst;
        }
        return worst;
    }

    @Override
    public Duration validFor() {
        return holds.stream().map(LockHold::validFor).min(Duration::compareTo).orElse(Duration.ZERO);
    }

    @Override
    public LockHold onLost(Consumer<? super LockLoss> callback) {
        AtomicBoolean told = new AtomicBoolean();
        for (LockHold hold : holds) {
            hold.onLost(loss -> {
                if (told.compareAndSet(false, true)) {
                    callback.accept(loss);
                }
            });
        }
        return this;
    }

    @Override
    public CompletionStage<LockLoss> lost() {
        if (holds.size() == 1) {
            return holds.get(0).lost();
        }
        CompletableFuture<LockLoss> first = new CompletableFuture<>();
        holds.forEach(hold -> hold.lost().thenAccept(first::complete));
        return first.minimalCompletionStage();
    }

    @Override
    public void extend(Duration lease) {
        holds.forEach(hold -> hold.extend(lease));
    }

    @Override
    public RFuture<Void> extendAsync(Duration lease) {
        return one("extendAsync").extendAsync(lease);
    }

    @Override
    public void ensure(Duration validity) {
        holds.forEach(hold -> hold.ensure(validity));
    }

    @Override
    public RFuture<Void> ensureAsync(Duration validity) {
        return one("ensureAsync").ensureAsync(validity);
    }

    @Override
    public void release() {
        throw notYours();
    }

    @Override
    public RFuture<Void> releaseAsync() {
        throw notYours();
    }

    private LockHold one(String method) {
        if (holds.size() == 1) {
            return holds.get(0);
        }
        throw new UnsupportedOperationException("lock '" + Printable.of(name()) + "': " + method
                + " is for one hold (expected: extend or ensure, since this"
                + " call has joined an outer hold and taken another)");
    }

    private UnsupportedOperationException notYours() {
        return new UnsupportedOperationException("lock '" + Printable.of(name())
                + "': a hold that a method was given is released with its call (expected: no release by the method)");
    }

    @Override
    public String toString() {
        return Printable.message(holds);
    }
}
