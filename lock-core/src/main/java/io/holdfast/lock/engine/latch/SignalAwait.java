package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Pending;
import java.util.OptionalLong;

/** One call that waits for a signal's number to be greater than one that its caller has seen (rule 65). */
final class SignalAwait extends Await {

    private final long after;
    private final Pending<OptionalLong> result;

    SignalAwait(Latchwork work, long after, long waitNanos, Pending<OptionalLong> result) {
        super(work.facts.nanos(), waitNanos);
        this.after = after;
        this.result = result;
    }

    @Override
    protected Pending<OptionalLong> result() {
        return result;
    }

    @Override
    protected boolean judge(Object seen, String node) {
        long number = (Long) seen;
        if (number <= after) {
            return false;
        }
        result.complete(OptionalLong.of(number));
        return true;
    }

    @Override
    protected boolean refuse() {
        result.complete(OptionalLong.empty());
        return true;
    }
}
