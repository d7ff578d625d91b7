package io.holdfast.lock.engine.hold;

import io.holdfast.lock.engine.call.SerialGate;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one hold, which run one after the other. A client may have very many holds, so this is a part of the hold's own
 * object. Belongs to the cell's steps.
 */
abstract class OperationLine {

    /** An operation is under way, and none waits. Nothing is ever added to it. */
    private static final ArrayDeque<Runnable> NONE_WAITING = new ArrayDeque<>(1);

    /** Operations that wait for the one that is under way; null while none is. */
    private @Nullable ArrayDeque<Runnable> waiting;

    /** Within which they run. */
    abstract SerialGate gate();

    /** Whether an operation on this hold has not ended. */
    public final boolean isBusy() {
        return waiting != null;
    }

    /** Runs operations on this hold one after the other; each ends with {@link #operationEnded}. */
    public final void operate(Runnable operation) {
        if (beginOperation()) {
            operation.run();
        } else {
            operateLater(operation);
        }
    }

    /** Whether an operation may begin now, because none is under way. */
    public final boolean beginOperation() {
        boolean free = waiting == null;
        if (free) {
            waiting = NONE_WAITING;
        }
        return free;
    }

    /** An operation for later, when those before it have ended. */
    public final void operateLater(Runnable operation) {
        ArrayDeque<Runnable> line = waiting;
        if (line == null || line == NONE_WAITING) {
            line = new ArrayDeque<>();
            waiting = line;
        }
        line.add(operation);
    }

    public final void operationEnded() {
        Runnable following = waiting == null ? null : waiting.poll();
        if (following == null) {
            waiting = null;
        } else {
            gate().run(following);
        }
    }
}
