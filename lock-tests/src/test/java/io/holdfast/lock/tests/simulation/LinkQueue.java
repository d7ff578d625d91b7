package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.netty.connection.Room;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls that were not written to a server yet: urgent ones go first, and the others take places in a room. */
final class LinkQueue {

    private final Deque<Request> urgent = new ArrayDeque<>();
    private final Deque<Request> ordinary = new ArrayDeque<>();
    private final Room room;
    private final int limit;

    LinkQueue(Room room, int limit) {
        this.room = room;
        this.limit = limit;
    }

    private static boolean isUrgent(Request request) {
        return Objects.requireNonNull(request.call, "a request without a call").isUrgent();
    }

    boolean hasRoom(Request request) {
        return isUrgent(request) || ordinary.size() < limit;
    }

    /** Whether there is room or not. */
    void add(Request request) {
        if (isUrgent(request)) {
            urgent.add(request);
        } else {
            room.takeAnyway();
            ordinary.add(request);
        }
    }

    /** Takes the request out that is to be written next; null if there is none. */
    @Nullable
    Request poll(boolean onlyUrgent) {
        Request first = urgent.poll();
        if (first != null || onlyUrgent || ordinary.isEmpty()) {
            return first;
        }
        room.free();
        return ordinary.remove();
    }

    /** Whether it was there, and is not any more. */
    boolean remove(Request request) {
        if (urgent.remove(request)) {
            return true;
        }
        if (!ordinary.remove(request)) {
            return false;
        }
        room.free();
        return true;
    }

    /** Takes those out that the test picks. */
    List<Request> takeOut(Predicate<Request> picked) {
        List<Request> taken = all().stream().filter(picked).toList();
        taken.forEach(this::remove);
        return taken;
    }

    List<Request> all() {
        List<Request> all = new ArrayList<>(urgent);
        all.addAll(ordinary);
        return all;
    }

    int ordinary() {
        return ordinary.size();
    }
}
