package io.holdfast.lock.netty.cluster;

import io.netty.channel.EventLoop;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * The slots that have another primary than before: told behind the step that has found it out, all that it has found at once. Belongs
 * to the event loop.
 */
final class LedSlots {

    private final EventLoop loop;
    private final Consumer<BitSet> listener;
    private BitSet untold = new BitSet();

    LedSlots(EventLoop loop, Consumer<BitSet> listener) {
        this.loop = loop;
        this.listener = listener;
    }

    void add(int slot) {
        if (untold.isEmpty()) {
            loop.execute(this::tell);
        }
        untold.set(slot);
    }

    private void tell() {
        BitSet slots = untold;
        untold = new BitSet();
        listener.accept(slots);
    }
}
