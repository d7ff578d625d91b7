package io.holdfast.lock.engine.operation;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.engine.call.Failures;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.hold.Holds;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.engine.step.Exchange;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.StepListener;
import io.holdfast.lock.spi.Fault;

/** Frees a lock, whichever owner holds it. */
final class ForcedRelease extends Exchange {

    private final HoldTools tools;
    private final LockCell cell;
    private final LockKind kind;
    private final Pending<Boolean> result;

    ForcedRelease(HoldTools tools, LockCell cell, LockKind kind, Pending<Boolean> result) {
        super(tools.exchanges(), cell, cell.node(), tools.commandNanos(), cell.nanos() + tools.commandNanos());
        this.tools = tools;
        this.cell = cell;
        this.kind = kind;
        this.result = result;
        cell.keep();
    }

    @Override
    protected void send(long deadlineNanos, StepListener step) {
        tools.place().force(cell, kind, deadlineNanos, step);
    }

    @Override
    protected void answered(Outcome outcome, boolean repeated) {
        boolean freed = outcome instanceof Outcome.Applied;
        if (freed) {
            Holds forced = cell.holds();
            for (int i = 0; i < forced.size(); i++) {
                if (kind.frees(forced.get(i).kind())) {
                    forced.get(i).lose(LossReason.FORCED, "forceUnlock was called in this client");
                }
            }
        }
        result.complete(freed || repeated);
        cell.letGo();
    }

    @Override
    protected void gaveUp(Fault fault) {
        result.fail(Failures.of(cell.keys.name(), "", fault));
        cell.letGo();
    }
}
