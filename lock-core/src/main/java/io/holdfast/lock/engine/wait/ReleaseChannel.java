package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.SerialGate;
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
 * The subscriptions to the channel of a lock, a latch or a signal, one per store: one time of listening, from the first waiter
 * to a second after the last one has left, because another one often comes soon. Belongs to the steps of a gate.
 *
 * <p>Over several nodes the listener is told of a majority of messages, since only then can a majority be free. It is told
 * of fewer a moment later: the others may have been lost.
 */
public final class ReleaseChannel {

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STRAGGLERS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** What a release says that names no client. */
    private static final String FREE = "0";

    /** The message of a client that has left word that it wants the lock. */
    private static final String WANTED = "wanted";

    /** The part that is told of messages. */
    public interface Listener {

        /**
         * Messages arrive from now on; some may have been missed before.
         *
         * @param again whether they had arrived before, and something broke in between
         */
        void listening(boolean again);

        /** Messages do not arrive for now, as far as is known. */
        void deafened();

        /**
         * The lock was freed; or what is awaited in its place has come.
         *
         * @param message what was published; over several nodes, by a majority of them, else 0
         */
        void released(String message);

        /** No call has needed the release channel for a while. */
        void unused();
    }

    /** Where the channel is. */
    @FunctionalInterface
    public interface Place {

        Subscription subscribe(Store store, Wakeup wakeup);
    }

    private final ClientFacts facts;
    private final SerialGate gate;
    private final Place place;
    private final Listener listener;
    private final List<Store> stores;
    private final int majority;
    private final List<Subscription> subscriptions = new ArrayList<>(1);
    /** The stores whose messages arrive, as far as is known. */
    private final BitSet confirmed = new BitSet();
    /** The stores whose messages have arrived at any time. */
    private final BitSet everConfirmed = new BitSet();
    /** The stores whose message came since the listener was told last, and what they said. */
    private final BitSet heard = new BitSet();

    private final String[] said;
    /** Of several stores, those that may yet say what the listener was told last. */
    private final BitSet behind = new BitSet();

    private String told = "";
    private long toldNanos;

    private @Nullable Timer linger;
    private @Nullable Timer stragglers;
    /** What comes after the end is not heard. */
    private boolean closed;

    /** @param gate within which the listener is told */
    public ReleaseChannel(ClientFacts facts, SerialGate gate, Place place, Listener listener) {
        this.facts = facts;
        this.gate = gate;
        this.place = place;
        this.listener = listener;
        this.stores = facts.stores();
        this.said = new String[stores.size()];
        this.majority = HoldLeases.majority(stores.size());
    }

    /** The channel of a lock; the listener is told within its cell. */
    static ReleaseChannel of(LockCell cell, Listener listener) {
        return new ReleaseChannel(
                cell.facts,
                cell,
                (store, wakeup) -> {
                    LockKeys there = cell.keys.at(store);
                    return store.backend().subscribe(there.slot, there.channelBytes(), wakeup);
                },
                listener);
    }

    /** Subscribes; apart from the constructor, because answers may come at once. */
    public void open() {
        for (Store store : stores) {
            subscriptions.add(place.subscribe(store, new Wakeup() {
                @Override
                public void ready() {
                    gate.run(() -> confirmed(store));
                }

                @Override
                public void silent() {
                    gate.run(() -> silenced(store));
                }

                @Override
                public void message(String text) {
                    gate.run(() -> heard(store, text));
                }
            }));
        }
    }

    /** Whether the messages of a majority of the stores arrive, as far as is known. */
    public boolean isConfirmed() {
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

    /** Whether a message is that of a client that wants the lock, which is not free. */
    static boolean isOfWaiter(String message) {
        return message.equals(WANTED);
    }

    private void heard(Store store, String message) {
        if (closed) {
            return;
        }
        if (stores.size() > 1 && isOfWaiter(message)) {
            // No release is behind it, and it must not take the place of a word of one.
            return;
        }
        if (isBehind(store, message)) {
            return;
        }
        heard.set(store.index());
        said[store.index()] = message;
        if (heard.cardinality() == stores.size() || saidBy(message) >= majority) {
            tell();
        } else if (stragglers == null) {
            stragglers = after(STRAGGLERS_NANOS, () -> {
                if (stragglers != null) {
                    tell();
                }
            });
        }
    }

    /** Whether a store says, a little later than the others, what the listener was told already. */
    private boolean isBehind(Store store, String message) {
        if (!behind.get(store.index())) {
            return false;
        }
        behind.clear(store.index());
        return message.equals(told) && facts.nanos() - toldNanos < STRAGGLERS_NANOS;
    }

    private int saidBy(String message) {
        int stores = 0;
        for (int i = heard.nextSetBit(0); i >= 0; i = heard.nextSetBit(i + 1)) {
            stores += said[i].equals(message) ? 1 : 0;
        }
        return stores;
    }

    /** Tells the listener what a majority of the stores has said; if there is none, that the lock may be free for all. */
    private void tell() {
        String most = FREE;
        for (int i = heard.nextSetBit(0); i >= 0; i = heard.nextSetBit(i + 1)) {
            most = saidBy(said[i]) >= majority ? said[i] : most;
        }
        behind.clear();
        if (heard.cardinality() >= majority) {
            behind.set(0, stores.size());
            behind.andNot(heard);
        }
        told = most;
        toldNanos = facts.nanos();
        forgetMessages();
        listener.released(most);
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
    public void closeSoon() {
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
    public void stay() {
        Timer leaving = linger;
        if (leaving != null) {
            leaving.cancel();
            linger = null;
        }
    }

    public void close() {
        closed = true;
        stay();
        forgetMessages();
        subscriptions.forEach(Subscription::close);
    }

    private Timer after(long nanos, Runnable step) {
        return facts.runtime().after(nanos, () -> gate.run(step));
    }
}
