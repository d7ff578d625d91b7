package io.holdfast.lock.engine.latch;

import io.holdfast.lock.RCountDownLatch;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A count-down latch as its user sees it. */
public final class EngineLatch implements RCountDownLatch, SharedWatched {

    private static final long MOST_COUNTS = (1L << 53) - 1;

    private final Latchwork work;
    private final SharedKeys keys;

    public EngineLatch(Latchwork work, SharedKeys keys) {
        this.work = work;
        this.keys = keys;
    }

    @Override
    public String getName() {
        return keys.name;
    }

    // --- changes and looks ---

    @Override
    public boolean trySetCount(long count) {
        check(count);
        Parked<Boolean> result = parked("trySetCount");
        new LatchSet(work, keys, count, result).start();
        return result.await();
    }

    @Override
    public RFuture<Boolean> trySetCountAsync(long count) {
        check(count);
        Promise<Boolean, Boolean> result = promise();
        new LatchSet(work, keys, count, result).start();
        return result.future();
    }

    private void check(long count) {
        if (count <= 0 || count > MOST_COUNTS) {
            throw new IllegalArgumentException(named() + ": count: " + count + " (expected: 1 to " + MOST_COUNTS + ")");
        }
    }

    @Override
    public void countDown() {
        Parked<Done> result = parked("countDown");
        new LatchCount(work, keys, result).start();
        result.await();
    }

    @Override
    public RFuture<Void> countDownAsync() {
        Promise<Done, Void> result = Promise.ofDone(work.facts.callbacks());
        new LatchCount(work, keys, result).start();
        return result.future();
    }

    @Override
    public boolean delete() {
        Parked<Boolean> result = parked("delete");
        new LatchDeletion(work, keys, result).start();
        return result.await();
    }

    @Override
    public RFuture<Boolean> deleteAsync() {
        Promise<Boolean, Boolean> result = promise();
        new LatchDeletion(work, keys, result).start();
        return result.future();
    }

    @Override
    public long getCount() {
        return count(this.<Long>parked("getCount")).await();
    }

    @Override
    public RFuture<Long> getCountAsync() {
        return count(this.<Long>promise()).future();
    }

    private <P extends Pending<Long>> P count(P result) {
        return work.look(keys, SharedScripts.LATCH_LOOK, keys::writeLatch, reply -> read(reply)
                        .left())
                .ask(result);
    }

    private <T> Parked<T> parked(String method) {
        return new Parked<>(work.facts.runtime().blocker(), method + " on " + named());
    }

    private <T> Promise<T, T> promise() {
        return Promise.of(work.facts.callbacks());
    }

    // --- waiting ---

    @Override
    public void await() throws InterruptedException {
        awaitFor(Ticket.NEVER);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return awaitFor(Ticket.waitNanos(Objects.requireNonNull(unit, "unit").toNanos(time)));
    }

    private boolean awaitFor(long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before await on " + named());
        }
        Parked<Boolean> result = Parked.forOthers(work.facts.runtime().blocker(), "await", named());
        LatchAwait call = new LatchAwait(work, keys, waitNanos, result);
        work.watches.enter(this, call);
        return result.awaitInterruptibly(() -> work.watches.withdraw(this, call));
    }

    @Override
    @SuppressWarnings("NullAway") // the only value that Void has
    public RFuture<Void> awaitAsync() {
        return awaitAsync(new Promise<>(work.facts.callbacks(), open -> null, open -> {}), Ticket.NEVER);
    }

    @Override
    public RFuture<Boolean> awaitAsync(long time, TimeUnit unit) {
        return awaitAsync(
                promise(), Ticket.waitNanos(Objects.requireNonNull(unit, "unit").toNanos(time)));
    }

    private <V extends @Nullable Object> RFuture<V> awaitAsync(Promise<Boolean, V> result, long waitNanos) {
        LatchAwait call = new LatchAwait(work, keys, waitNanos, result);
        result.onWithdrawn(() -> work.watches.withdraw(this, call));
        work.watches.enter(this, call);
        return result.future();
    }

    // --- how the server is asked ---

    @Override
    public SharedKeys keys() {
        return keys;
    }

    @Override
    public Script script() {
        return SharedScripts.LATCH_LOOK;
    }

    @Override
    public void write(Args out) {
        keys.writeLatch(out);
    }

    @Override
    public LatchState read(Reply reply) {
        LatchState state = LatchState.of(reply);
        work.generations.heard(keys, state.generation());
        return state;
    }

    @Override
    public String toString() {
        return named().toString();
    }
}
