package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.LockNames;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Script;
import io.holdfast.lock.spi.ScriptCall;

/**
 * A request to one node of a quorum that the others do not wait for. From the time when its answer is due until that comes,
 * the node owes it, and is not asked for more than must be.
 */
abstract class NodeCall extends ScriptCall {

    final Store store;
    final LockNames names;
    private final Quorum quorum;
    private boolean owed;

    NodeCall(Script script, Quorum quorum, LockCell cell, Store store, long timeoutNanos) {
        this(script, quorum, cell.names.at(store), store, cell.nanos(), timeoutNanos);
    }

    private NodeCall(Script script, Quorum quorum, LockNames names, Store store, long sentNanos, long timeoutNanos) {
        super(script, names.slot, sentNanos, sentNanos + timeoutNanos);
        this.quorum = quorum;
        this.store = store;
        this.names = names;
    }

    /** The time for an answer is over. */
    abstract void late();

    /** There will be no answer. */
    abstract void failed(Fault fault);

    /** The answer has come, and was understood. */
    final void paid() {
        if (owed) {
            owed = false;
            quorum.hasEnded(store);
        }
    }

    @Override
    public final void onOverdue() {
        owed = true;
        quorum.isOverdue(store);
        late();
    }

    @Override
    public final void onFault(Fault fault) {
        paid();
        failed(fault);
    }
}
