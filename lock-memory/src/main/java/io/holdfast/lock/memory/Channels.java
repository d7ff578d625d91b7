package io.holdfast.lock.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luaj.vm2.LuaString;

/** The receivers of messages, by channel. The store that these belong to lets one thread in at a time. */
final class Channels {

    /** Hears of messages of a channel. */
    interface Subscriber {

        /** Whose connection it is: two of one connection count as one. */
        Object connection();

        void message(String text);
    }

    private final Map<LuaString, List<Subscriber>> subscribers = new HashMap<>();

    void subscribe(LuaString channel, Subscriber subscriber) {
        subscribers.computeIfAbsent(channel, first -> new ArrayList<>()).add(subscriber);
    }

    void unsubscribe(LuaString channel, Subscriber subscriber) {
        List<Subscriber> present = subscribers.get(channel);
        if (present != null && present.remove(subscriber) && present.isEmpty()) {
            subscribers.remove(channel);
        }
    }

    /** A connection ends. */
    void unsubscribeAll(Object connection) {
        subscribers.values().forEach(each -> each.removeIf(subscriber -> subscriber.connection() == connection));
        subscribers.values().removeIf(List::isEmpty);
    }

    /** Tells how many connections hear it. */
    long publish(LuaString channel, String text) {
        List<Subscriber> present = List.copyOf(subscribers.getOrDefault(channel, List.of()));
        present.forEach(each -> each.message(text));
        return connections(present);
    }

    /** How many connections listen. */
    long listeners(LuaString channel) {
        return connections(subscribers.getOrDefault(channel, List.of()));
    }

    private static long connections(List<Subscriber> present) {
        return present.stream().map(Subscriber::connection).distinct().count();
    }

    /** To how many channels any connection listens. */
    int size() {
        return subscribers.size();
    }
}
