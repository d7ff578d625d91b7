package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.spi.Args;

/** Sets the count of a latch. */
final class LatchSet extends LatchChange<Boolean> {

    private final Latchwork work;
    private final byte[] id;
    private final long count;

    LatchSet(Latchwork work, SharedKeys keys, long count, Pending<Boolean> result) {
        super(work, keys, SharedScripts.LATCH_SET, result);
        this.work = work;
        this.id = work.facts.newField(Owner.thread(Thread.currentThread().getId()));
        this.count = count;
    }

    @Override
    void write(long generation, Args out) {
        work.facts.fields().write(id, keys.writeLatchAndClock(out)).arg(count).arg(generation);
    }

    /** Where there is no latch it makes one, and then no generation is known. */
    @Override
    boolean mayApply(long generation) {
        return true;
    }

    @Override
    boolean end(LatchState told, Pending<Boolean> into) {
        if (!told.isDone() && told.isOpen()) {
            return false;
        }
        into.complete(told.isDone());
        return true;
    }

    @Override
    void endInDoubt(LatchState told, boolean wasThere, Pending<Boolean> into) {
        endAsUnknown(into);
    }
}
