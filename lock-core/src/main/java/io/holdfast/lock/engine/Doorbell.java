package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Timer;
import io.holdfast.lock.spi.Wakeup;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions to a lock's channel, one per store. They are opened for the first waiter and closed a second after
 * the last one has left, because another one often comes soon. Belongs to the cell's steps.
 *
 * <p>Over several nodes a majority of messages rings the bell, since only then can a majority be free. Fewer ring it a
 * moment later: the others may have been lost.
 */
final class Doorbell {

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STRAGGLERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Who hears the bell. */
    interface Listener {

        /**
         * Messages arrive from now on; some may have been missed before.
         *
         * @param again whether they had arrived before, and something broke in between
         */
        void listening(boolean again);

        /** The lock was freed. */
        void rung();

        /** Nobody has needed the bell for a while. */
        void unused();
    }

    private final List<Store> stores;
    private final int majority;
    private final LockNames names;
    private final Runtime runtime;
    private final SerialGate gate;
    private final Listener listener;

    private final List<Subscription> subscriptions = new ArrayList<>(1);
    private final BitSet confirmed = new BitSet();
    /** The stores whose message came since the bell rang last. */
    private final BitSet heard = new BitSet();

    private @Nullable Timer linger;
    private @Nullable Timer stragglers;

    Doorbell(Engine engine, LockNames names, SerialGate gate, Listener listener) {
        this.stores = engine.stores();
        this.majority = Leases.majority(stores.size());
        this.names = names;
        this.runtime = engine.runtime();
        this.gate = gate;
        this.listener = listener;
    }

    boolean isOpen() {
        return !subscriptions.isEmpty();
    }

    /** Whether a majority of the stores has confirmed its subscription, at least once. */
    boolean isConfirmed() {
        return confirmed.cardinality() >= majority;
    }

    /** Subscribes, if that has not been done. */
    void open() {
        stay();
        if (isOpen()) {
            return;
        }
        for (Store store : stores) {
            LockNames there = names.at(store);
            subscriptions.add(store.backend().subscribe(there.slot, there.channelBytes, new Wakeup() {
                @Override
                public void ready() {
                    gate.run(() -> confirmed(store));
                }

                @Override
                public void message(String text) {
                    gate.run(() -> heard(store));
                }
            }));
        }
    }

    private void confirmed(Store store) {
        if (!isOpen()) {
            return;
        }
        boolean again = confirmed.get(store.index());
        confirmed.set(store.index());
        if (isConfirmed()) {
            listener.listening(again);
        }
    }

    private void heard(Store store) {
        if (!isOpen()) {
            return;
        }
        heard.set(store.index());
        if (heard.cardinality() >= majority) {
            ring();
        } else if (stragglers == null) {
            stragglers = runtime.after(
                    STRAGGLERS_NANOS,
                    () -> gate.run(() -> {
                        if (stragglers != null) {
                            ring();
                        }
                    }));
        }
    }

    private void ring() {
        forgetMessages();
        listener.rung();
    }

    private void forgetMessages() {
        heard.clear();
        Timer late = stragglers;
        if (late != null) {
            late.cancel();
            stragglers = null;
        }
    }

    /** Nobody waits for now. */
    void closeSoon() {
        if (isOpen() && linger == null) {
            linger = runtime.after(
                    LINGER_NANOS,
                    () -> gate.run(() -> {
                        linger = null;
                        listener.unused();
                    }));
        }
    }

    void close() {
        stay();
        forgetMessages();
        confirmed.clear();
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }

    private void stay() {
        Timer leaving = linger;
        if (leaving != null) {
            leaving.cancel();
            linger = null;
        }
    }
}
