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

    /** The latch for which it was sent was there, and is not there any more. */
    @Override
    void endInDoubt(LatchState told, Pending<Boolean> into) {
        into.complete(true);
    }
}
