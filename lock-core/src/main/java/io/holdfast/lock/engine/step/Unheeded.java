package io.holdfast.lock.engine.step;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;

/** A request whose end is of no matter. */
abstract class Unheeded extends ScriptCall {

    Unheeded(Script script, int slot, long sentNanos, long deadlineNanos) {
        super(script, slot, sentNanos, deadlineNanos);
    }

    @Override
    public final void onOverdue() {}

    @Override
    public final void onReply(Reply reply) {}

    @Override
    public final void onFault(Fault fault) {}
}
