package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions to a lock's channel, one per store: one time of listening, from the first waiter to a second after
 * the last one has left, because another one often comes soon. Belongs to the cell's steps.
 *
 * <p>Over several nodes the listener is told of a majority of messages, since only then can a majority be free. It is told
 * of fewer a moment later: the others may have been lost.
 */
final class ReleaseChannel {

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STRAGGLERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The part that is told of messages. */
    interface Listener {

        /**
         * Messages arrive from now on; some may have been missed before.
         *
         * @param again whether they had arrived before, and something broke in between
         */
        void listening(boolean again);

        /** Messages do not arrive for now, as far as is known. */
        void deafened();

        /**
         * The lock was freed.
         *
         * @param message what was published; over several nodes, by the last one that was heard
         */
        void released(String message);

        /** No call has needed the release channel for a while. */
        void unused();
    }

    private final LockCell cell;
    private final Listener listener;
    private final List<Store> stores;
    private final int majority;
    private final List<Subscription> subscriptions = new ArrayList<>(1);
    /** The stores whose messages arrive, as far as is known. */
    private final BitSet confirmed = new BitSet();
    /** The stores whose messages have arrived at any time. */
    private final BitSet everConfirmed = new BitSet();
    /** The stores whose message came since the listener was told last. */
    private final BitSet heard = new BitSet();

    private @Nullable Timer linger;
    private @Nullable Timer stragglers;
    /** What comes after the end is not heard. */
    private boolean closed;

    ReleaseChannel(LockCell cell, Listener listener) {
        this.cell = cell;
        this.listener = listener;
        this.stores = cell.facts.stores();
        this.majority = HoldLeases.majority(stores.size());
    }

    /** Subscribes; apart from the constructor, because answers may come at once. */
    void open() {
        for (Store store : stores) {
            LockKeys there = cell.keys.at(store);
            subscriptions.add(store.backend().subscribe(there.slot, there.channelBytes(), new Wakeup() {
                @Override
                public void ready() {
                    cell.run(() -> confirmed(store));
                }

                @Override
                public void silent() {
                    cell.run(() -> silenced(store));
                }

                @Override
                public void message(String text) {
                    cell.run(() -> heard(store, text));
                }
            }));
        }
    }

    /** Whether the messages of a majority of the stores arrive, as far as is known. */
    boolean isConfirmed() {
        return confirmed.cardinality() >= majority;
    }

    private void confirmed(Store store) {
        if (closed) {
            return;
        }
        boolean again = everConfirmed.get(store.index());
        confirmed.set(store.index());
        everConfirmed.set(store.index());
        if (isConfirmed()) {
            listener.listening(again);
        }
    }

    private void silenced(Store store) {
        boolean before = isConfirmed();
        confirmed.clear(store.index());
        if (before && !isConfirmed() && !closed) {
            listener.deafened();
        }
    }

    private void heard(Store store, String message) {
        if (closed) {
            return;
        }
        heard.set(store.index());
        if (heard.cardinality() >= majority) {
            tell(message);
        } else if (stragglers == null) {
            stragglers = after(STRAGGLERS_NANOS, () -> {
                if (stragglers != null) {
                    tell(message);
                }
            });
        }
    }

    private void tell(String message) {
        forgetMessages();
        listener.released(message);
    }

    private void forgetMessages() {
        heard.clear();
        Timer late = stragglers;
        if (late != null) {
            late.cancel();
            stragglers = null;
        }
    }

    /** No call waits for now. */
    void closeSoon() {
        if (linger == null) {
            linger = after(LINGER_NANOS, () -> {
                if (linger != null) {
                    linger = null;
                    listener.unused();
                }
            });
        }
    }

    /** A call waits. */
    void stay() {
        Timer leaving = linger;
        if (leaving != null) {
            leaving.cancel();
            linger = null;
        }
    }

    void close() {
        closed = true;
        stay();
        forgetMessages();
        subscriptions.forEach(Subscription::close);
    }

    private Timer after(long nanos, Runnable step) {
        return cell.facts.runtime().after(nanos, () -> cell.run(step));
    }
}
