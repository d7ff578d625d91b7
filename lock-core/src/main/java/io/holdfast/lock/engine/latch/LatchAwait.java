package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.key.SharedKeys;
import org.jspecify.annotations.Nullable;

/** One call that awaits a latch. It goes by the generation that it saw first, and by the line of that (rules 59, 60). */
final class LatchAwait extends Await {

    private final SharedKeys keys;
    private final Pending<Boolean> result;
    /** What it saw first; null until it has seen a closed latch. */
    private @Nullable LatchState first;

    LatchAwait(Latchwork work, SharedKeys keys, long waitNanos, Pending<Boolean> result) {
        super(work.facts.nanos(), waitNanos);
        this.keys = keys;
        this.result = result;
    }

    @Override
    protected Pending<Boolean> result() {
        return result;
    }

    @Override
    protected boolean judge(Object seen, String node) {
        LatchState now = (LatchState) seen;
        LatchState before = first;
        if (before == null) {
            first = now;
            return now.isOpen() && open();
        }
        if (isGone(before, now)) {
            result.fail(Failures.gone(keys.named(), node, whereItIs(now)));
            return true;
        }
        return (now.isOpen() || now.generation() > before.generation()) && open();
    }

    private boolean open() {
        result.complete(true);
        return true;
    }

    /** A latch of another line, or one from before: the server has lost what it had, or the latch was deleted. */
    private static boolean isGone(LatchState before, LatchState now) {
        return !now.exists() || now.last() != before.last() || now.generation() < before.generation();
    }

    private static String whereItIs(LatchState now) {
        return now.exists()
                ? "the latch that this call awaited was deleted or lost, and another was set"
                : "the latch was deleted or lost before it opened";
    }

    @Override
    protected boolean refuse() {
        result.complete(false);
        return true;
    }
}
