package io.holdfast.lock.engine.latch;

import io.holdfast.lock.RFuture;
import io.holdfast.lock.RSignal;
import io.holdfast.lock.engine.call.Parked;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Promise;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/** A signal as its user sees it (rule 65). */
public final class EngineSignal implements RSignal, SharedWatched {

    private final Latchwork work;
    private final SharedKeys keys;

    public EngineSignal(Latchwork work, SharedKeys keys) {
        this.work = work;
        this.keys = keys;
    }

    @Override
    public String getName() {
        return keys.name;
    }

    @Override
    public long current() {
        return look(this.<Long>parked("current")).await();
    }

    @Override
    public RFuture<Long> currentAsync() {
        return look(this.<Long>promise()).future();
    }

    private <P extends Pending<Long>> P look(P result) {
        return work.look(keys, script(), this::write, this::read).ask(result);
    }

    @Override
    public long send() {
        return send(this.<Long>parked("send")).await();
    }

    @Override
    public RFuture<Long> sendAsync() {
        return send(this.<Long>promise()).future();
    }

    private <P extends Pending<Long>> P send(P result) {
        return work.change(
                        keys, SharedScripts.SIGNAL_SEND, out -> keys.writeChannel(keys.writeKey(out)), Reply::integer)
                .ask(result, work.dueNanos());
    }

    private <T> Parked<T> parked(String method) {
        return new Parked<>(work.facts.runtime().blocker(), method + " on " + named());
    }

    private <T> Promise<T, T> promise() {
        return Promise.of(work.facts.callbacks());
    }

    // --- waiting ---

    @Override
    public OptionalLong await(long after, Duration limit) throws InterruptedException {
        long waitNanos = waitNanos(limit);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before await on " + named());
        }
        Parked<OptionalLong> result = Parked.forOthers(work.facts.runtime().blocker(), "await", named());
        SignalAwait call = new SignalAwait(work, after, waitNanos, result);
        work.watches.enter(this, call);
        return result.awaitInterruptibly(() -> work.watches.withdraw(this, call));
    }

    @Override
    public RFuture<OptionalLong> awaitAsync(long after, Duration limit) {
        Promise<OptionalLong, OptionalLong> result = promise();
        SignalAwait call = new SignalAwait(work, after, waitNanos(limit), result);
        result.onWithdrawn(() -> work.watches.withdraw(this, call));
        work.watches.enter(this, call);
        return result.future();
    }

    private static long waitNanos(Duration limit) {
        return Ticket.waitNanos(Objects.requireNonNull(limit, "limit"));
    }

    // --- how the server is asked ---

    @Override
    public SharedKeys keys() {
        return keys;
    }

    @Override
    public Script script() {
        return SharedScripts.SIGNAL_LOOK;
    }

    @Override
    public void write(Args out) {
        keys.writeKey(out);
    }

    @Override
    public Long read(Reply reply) {
        return reply.integer();
    }

    @Override
    public String toString() {
        return named().toString();
    }
}
