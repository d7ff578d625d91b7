package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The calls of one client whose requests found no room in the queues of its stores (rule 81). They wait here until a
 * majority of the stores has room, and the oldest call goes first; later ones stand in line too. So a store keeps no
 * more than its queue, and none of them asks again and again.
 */
public final class RoomLine {

    /** How many calls go on at a time: a thread of the connections brings them. */
    private static final int MOST_AT_A_TIME = 1_024;

    private final List<Store> stores;
    private final String node;

    // Guarded by this object's monitor.

    private final TreeSet<Place> line = new TreeSet<>();
    /** The stores that will tell of room, and have not done so yet. */
    private final boolean[] asked;

    private long placesGiven;
    private volatile boolean empty = true;

    public RoomLine(List<Store> stores, String node) {
        this.stores = stores;
        this.node = node;
        this.asked = new boolean[stores.size()];
    }

    /** Whether the line is empty, so that a request may be tried. */
    boolean isEmpty() {
        return empty;
    }

    /** What a request meets that would go past those in line. */
    Fault full() {
        return new Fault(Fault.Kind.QUEUE_FULL, false, node, "other calls wait for room");
    }

    /**
     * Lets a call wait.
     *
     * @param startNanos when the call began
     * @param goOn called at most once, on a thread of the connections
     * @return ends the wait
     */
    Timer await(long startNanos, Runnable goOn) {
        Place place;
        synchronized (this) {
            place = new Place(startNanos, placesGiven++, goOn);
            line.add(place);
            empty = false;
        }
        askStores();
        return place;
    }

    private void askStores() {
        for (Store store : stores) {
            if (mustAsk(store)) {
                store.backend().whenRoom(places -> hasRoom(store, places));
            }
        }
    }

    private synchronized boolean mustAsk(Store store) {
        boolean ask = !line.isEmpty() && !asked[store.index()];
        asked[store.index()] |= ask;
        return ask;
    }

    private void hasRoom(Store store, int places) {
        List<Place> first = take(store, Math.max(1, Math.min(places, MOST_AT_A_TIME)));
        first.forEach(place -> place.goOn.run());
        if (!first.isEmpty()) {
            askStores();
        }
    }

    /** Takes the oldest out, if with this store a majority has room. */
    private synchronized List<Place> take(Store store, int most) {
        asked[store.index()] = false;
        int withRoom = 0;
        for (boolean waits : asked) {
            withRoom += waits ? 0 : 1;
        }
        List<Place> first = new ArrayList<>();
        while (withRoom >= HoldLeases.majority(asked.length) && first.size() < most && !line.isEmpty()) {
            first.add(line.pollFirst());
        }
        empty = line.isEmpty();
        return first;
    }

    private synchronized void leave(Place place) {
        line.remove(place);
        empty = line.isEmpty();
    }

    /** Where one call stands. */
    private final class Place implements Timer, Comparable<Place> {

        private final long startNanos;
        private final long number;
        private final Runnable goOn;

        Place(long startNanos, long number, Runnable goOn) {
            this.startNanos = startNanos;
            this.number = number;
            this.goOn = goOn;
        }

        @Override
        public void cancel() {
            leave(this);
        }

        @Override
        public int compareTo(Place other) {
            return startNanos == other.startNanos
                    ? Long.compare(number, other.number)
                    : Long.compare(startNanos - other.startNanos, 0);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }
}
