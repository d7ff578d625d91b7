package io.holdfast.lock.engine.permit;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.engine.operation.HoldOperations;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.wait.Deadlines;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the semaphores of one client need of it. */
public record SemaphoreParts(
        ClientFacts facts, Cells cells, HoldOperations operations, Exchanges exchanges, Deadlines deadlines) {

    /**
     * A call about a semaphore as a whole, or about a permit that this client has not.
     *
     * @param writes whether its effect is unknown without an answer
     */
    <T> Query<T> query(
            PermitKeys keys, Script script, boolean writes, Consumer<Args> arguments, Function<Reply, T> answer) {
        return new Query<>(facts, exchanges, facts.stores().get(0), "", script, keys.slot, arguments, answer)
                .about(keys.named(), writes);
    }

    /** When trying ends for a write that is asked for now: with the longest outage. */
    long dueNanos() {
        long now = facts.nanos();
        return deadlines.writeDueNanos(now, now);
    }
}
