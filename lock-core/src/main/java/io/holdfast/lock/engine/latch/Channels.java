package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Several channels of one store, heard as one: messages arrive when those of all of them do. */
final class Channels implements Subscription {

    private final Wakeup wakeup;
    private final int count;
    /** Those whose messages arrive, as far as is known. Guarded by its monitor. */
    private final BitSet confirmed = new BitSet();

    private final List<Subscription> parts = new ArrayList<>();

    private Channels(Wakeup wakeup, int count) {
        this.wakeup = wakeup;
        this.count = count;
    }

    static Subscription subscribe(Store store, int slot, List<byte[]> channels, Wakeup wakeup) {
        if (channels.size() == 1) {
            return store.backend().subscribe(slot, channels.get(0), wakeup);
        }
        Channels all = new Channels(wakeup, channels.size());
        for (int index = 0; index < channels.size(); index++) {
            all.parts.add(store.backend().subscribe(slot, channels.get(index), all.new Part(index)));
        }
        return all;
    }

    private boolean isConfirmed(int index) {
        synchronized (confirmed) {
            confirmed.set(index);
            return confirmed.cardinality() == count;
        }
    }

    private void isSilent(int index) {
        synchronized (confirmed) {
            confirmed.clear(index);
        }
    }

    @Override
    public void close() {
        parts.forEach(Subscription::close);
    }

    /** One of the channels. */
    private final class Part implements Wakeup {

        private final int index;

        Part(int index) {
            this.index = index;
        }

        @Override
        public void ready() {
            if (isConfirmed(index)) {
                wakeup.ready();
            }
        }

        @Override
        public void silent() {
            isSilent(index);
            wakeup.silent();
        }

        @Override
        public void message(String text) {
            wakeup.message(text);
        }
    }
}
