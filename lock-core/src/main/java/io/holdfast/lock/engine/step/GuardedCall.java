package io.holdfast.lock.engine.step;

import io.holdfast.lock.spi.Args;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Reply;
import io.holdfast.lock.spi.ScriptCall;

/** A call in the words of the failover guard: what it is answered is judged before it is used (rule 88). */
final class GuardedCall extends ScriptCall implements Asked {

    private final Pass pass;
    private final StoreSteps.Call step;

    GuardedCall(Pass pass, StoreSteps.Call step) {
        super(pass.script(step.script), step.slot, step.sentNanos, step.deadlineNanos);
        this.pass = pass;
        this.step = step;
    }

    @Override
    public void encode(Args out) {
        pass.write(out, step::encode);
    }

    @Override
    public void onOverdue() {
        step.onOverdue();
    }

    @Override
    public void onReply(Reply reply) {
        step.run = run;
        step.onJudged(pass.judge(reply));
    }

    @Override
    public void onFault(Fault fault) {
        step.onFault(fault);
    }
}
