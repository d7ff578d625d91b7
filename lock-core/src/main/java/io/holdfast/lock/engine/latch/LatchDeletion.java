package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.spi.Args;

/** Deletes a latch. */
final class LatchDeletion extends LatchChange<Boolean> {

    LatchDeletion(Latchwork work, SharedKeys keys, Pending<Boolean> result) {
        super(work, keys, SharedScripts.LATCH_DELETE, result);
    }

    @Override
    void write(long generation, Args out) {
        keys.writeLatch(out).arg(generation);
        keys.writeChannel(out);
    }

    @Override
    boolean end(LatchState told, Pending<Boolean> into) {
        if (!told.isDone() && told.exists()) {
            return false;
        }
        into.complete(told.isDone());
        return true;
    }

    /** The latch for which it was sent is not there any more; but another is, and that may have been so when the call began. */
    @Override
    void endInDoubt(LatchState told, boolean wasThere, Pending<Boolean> into) {
        if (wasThere || !told.exists()) {
            into.complete(true);
        } else {
            endAsUnknown(into);
        }
    }
}
