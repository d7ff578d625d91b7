package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Done;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.key.SharedKeys;
import io.holdfast.lock.engine.kind.SharedScripts;
import io.holdfast.lock.spi.Args;

/** Counts a latch down by one. */
final class LatchCount extends LatchChange<Done> {

    private final Latchwork work;
    private final byte[] id;

    LatchCount(Latchwork work, SharedKeys keys, Pending<Done> result) {
        super(work, keys, SharedScripts.LATCH_COUNT, result);
        this.work = work;
        this.id = work.facts.newField(Owner.thread(Thread.currentThread().getId()));
    }

    @Override
    void write(long generation, Args out) {
        work.facts.fields().write(id, keys.writeLatch(out)).arg(generation);
        keys.writeChannel(out);
    }

    @Override
    boolean end(LatchState told, Pending<Done> into) {
        return (told.isDone() || !told.exists()) && settle(into);
    }

    /**
     * Its generation is over: it has opened, or is gone. But if that was so before the call began, no copy has counted, and the closed
     * latch of now waits for the count.
     */
    @Override
    void endInDoubt(LatchState told, boolean wasThere, Pending<Done> into) {
        if (wasThere || !told.exists() || told.isOpen()) {
            settle(into);
        } else {
            endAsUnknown(into);
        }
    }

    private static boolean settle(Pending<Done> into) {
        into.complete(Done.DONE);
        return true;
    }
}
