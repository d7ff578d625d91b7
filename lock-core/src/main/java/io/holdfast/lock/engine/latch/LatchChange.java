package io.holdfast.lock.engine.latch;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.inspect.Query;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Script;

/**
 * One call that changes a latch: sent for the generation that this client knows, and where that is not the present one, once more
 * for that (rule 58).
 *
 * <p>But once a copy of it may have been applied in the generation for which it was sent, it is not sent for another: that would
 * be a second effect of one call.
 */
abstract class LatchChange<T> implements Query.Hearer<LatchState> {

    private final Latchwork work;
    final SharedKeys keys;
    private final Script script;
    private final Pending<T> result;
    private final long dueNanos;
    private long meant;
    /** Whether an answer to this call has told of the generation for which it is meant: then that latch was there meanwhile. */
    private boolean wasThere;

    LatchChange(Latchwork work, SharedKeys keys, Script script, Pending<T> result) {
        this.work = work;
        this.keys = keys;
        this.script = script;
        this.result = result;
        this.dueNanos = work.dueNanos();
        this.meant = work.generations.of(keys);
    }

    /** Writes keys and arguments of a request that is meant for this generation. */
    abstract void write(long generation, Args out);

    /** Whether a request that is meant for this generation may have an effect. */
    boolean mayApply(long generation) {
        return generation != Generations.UNKNOWN;
    }

    /** Ends the call, whose request was answered; false if it is to be sent for the generation that the answer tells. */
    abstract boolean end(LatchState told, Pending<T> into);

    /**
     * Ends the call: its request was not applied, but an earlier copy of it may have been.
     *
     * @param wasThere whether the latch for which it was sent was there while the call went on
     */
    abstract void endInDoubt(LatchState told, boolean wasThere, Pending<T> into);

    final void endAsUnknown(Pending<T> into) {
        into.fail(Failures.unknown(
                keys.named(),
                work.facts.node(),
                FailureReason.NO_ANSWER,
                "the latch has changed since, and an answer to this call was lost"));
    }

    final void start() {
        long generation = meant;
        work.change(keys, script, out -> write(generation, out), LatchState::of).ask(dueNanos, this);
    }

    @Override
    public final void answered(LatchState told, boolean repeated) {
        work.generations.heard(keys, told.generation());
        if (!told.isDone() && repeated && mayApply(meant)) {
            endInDoubt(told, wasThere, result);
        } else if (!end(told, result)) {
            meant = told.generation();
            wasThere = true;
            start();
        }
    }

    @Override
    public final void failed(LockException failure) {
        result.fail(failure);
    }
}
