package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.wait.Deadlines;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the latches and signals of one client share. */
public final class Latchwork {

    final ClientFacts facts;
    final Watches watches;
    final Generations generations = new Generations();
    private final Exchanges exchanges;
    private final Deadlines deadlines;

    /** @param nodeTimeoutNanos how long a node of a quorum has to answer a look that others have answered */
    public Latchwork(
            ClientFacts facts, Exchanges exchanges, Retries retries, Deadlines deadlines, long nodeTimeoutNanos) {
        this.facts = facts;
        this.exchanges = exchanges;
        this.deadlines = deadlines;
        this.watches = new Watches(facts, retries, nodeTimeoutNanos);
    }

    /** The calls that wait; they end with the client. */
    public Watches watches() {
        return watches;
    }

    /** When trying ends for what counts, sets, deletes or sends: with the longest outage. */
    long dueNanos() {
        long now = facts.nanos();
        return deadlines.writeDueNanos(now, now);
    }

    /** A script call that changes something. */
    <T> Query<T> change(SharedKeys keys, Script script, Consumer<Args> arguments, Function<Reply, T> answer) {
        return call(keys, script, arguments, answer, true).thatTells(keys.channelBytes());
    }

    /** A script call that only looks. */
    <T> Query<T> look(SharedKeys keys, Script script, Consumer<Args> arguments, Function<Reply, T> answer) {
        return call(keys, script, arguments, answer, false);
    }

    private <T> Query<T> call(
            SharedKeys keys, Script script, Consumer<Args> arguments, Function<Reply, T> answer, boolean writes) {
        return new Query<>(facts, exchanges, facts.stores().get(0), "", script, keys.slot, arguments, answer)
                .about(keys.named(), writes);
    }
}
