package io.holdfast.lock.engine.quorum;

import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.LockKeys;
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
    final LockKeys keys;
    private final Quorum quorum;
    private boolean owed;

    NodeCall(Script script, Quorum quorum, LockCell cell, Store store, long timeoutNanos) {
        this(script, quorum, cell.keys.at(store), store, cell.nanos(), timeoutNanos);
    }

    private NodeCall(Script script, Quorum quorum, LockKeys keys, Store store, long sentNanos, long timeoutNanos) {
        super(script, keys.slot, sentNanos, sentNanos + timeoutNanos);
        this.quorum = quorum;
        this.store = store;
        this.keys = keys;
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
