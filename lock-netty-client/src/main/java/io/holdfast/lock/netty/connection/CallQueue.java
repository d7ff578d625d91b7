package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.ScriptCall;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue in front of a connection. Any thread adds calls; only the event loop takes them out: urgent ones first, and
 * each kind in its order.
 *
 * <p>The ordinary calls, which want locks or ask questions, are bounded by the {@link Room} that there is for them. The urgent
 * ones are not counted: one for each hold and for each request without an answer is all that the engine sends.
 */
final class CallQueue {

    /** How many calls are told in one look that they have waited for too long: each may take a while. */
    private static final int MOST_PER_LOOK = 1_024;

    private final Room room;
    private final long patienceNanos;
    private final CallLane urgent = new CallLane();
    private final CallLane ordinary = new CallLane();
    /** How many ordinary calls are here; null if the room is this queue's alone, and has counted them. */
    private final @Nullable AtomicInteger own;

    /** @param patienceNanos how long a call may wait here at most */
    CallQueue(Room room, long patienceNanos) {
        this(room, patienceNanos, false);
    }

    /** @param shared whether other queues have the same room: then all calls come by {@link #take} */
    CallQueue(Room room, long patienceNanos, boolean shared) {
        this.room = room;
        this.patienceNanos = patienceNanos;
        this.own = shared ? new AtomicInteger() : null;
    }

    /** How many ordinary calls wait here. Any thread. */
    int size() {
        return own == null ? room.taken() : own.get();
    }

    /** Adds a call, unless it is an ordinary one and there is no room. Any thread. */
    boolean offer(ScriptCall call) {
        if (call.isUrgent()) {
            urgent.add(call);
            return true;
        }
        if (!room.take()) {
            return false;
        }
        ordinary.add(call);
        return true;
    }

    /** Adds a call that had a place elsewhere, whether there is room or not. */
    void take(ScriptCall call) {
        if (call.isUrgent()) {
            urgent.add(call);
        } else {
            room.takeAnyway();
            if (own != null) {
                own.incrementAndGet();
            }
            ordinary.add(call);
        }
    }

    boolean isEmpty() {
        return urgent.isEmpty() && ordinary.isEmpty();
    }

    /**
     * Takes the call out that is to be written next.
     *
     * @param onlyUrgent whether ordinary calls have to wait
     */
    @Nullable
    ScriptCall poll(boolean onlyUrgent) {
        ScriptCall first = urgent.poll();
        if (first != null || onlyUrgent) {
            return first;
        }
        ScriptCall next = freed(ordinary.poll());
        if (next != null) {
            room.wasTakenOut();
        }
        return next;
    }

    /** Takes a call out that is still at the entrance. Any thread, for when the event loop has ended. */
    @Nullable
    ScriptCall pollEntrance() {
        ScriptCall first = urgent.pollEntrance();
        return first != null ? first : freed(ordinary.pollEntrance());
    }

    private @Nullable ScriptCall freed(@Nullable ScriptCall call) {
        if (call != null) {
            free();
        }
        return call;
    }

    /** An ordinary call is not here any more. */
    private void free() {
        room.free();
        if (own != null) {
            own.decrementAndGet();
        }
    }

    /** Lets new calls stand in line, and tells of each. */
    void lineUp(Consumer<ScriptCall> added) {
        urgent.lineUp(added);
        ordinary.lineUp(added);
    }

    /** Takes those calls out that the test picks, and hands them over: urgent ones first, and each kind in its order. */
    void takeOut(Predicate<ScriptCall> picked, Consumer<ScriptCall> taken) {
        lineUp(call -> {});
        urgent.removeFromLine(call -> isTaken(call, picked, taken));
        ordinary.removeFromLine(call -> {
            boolean is = isTaken(call, picked, taken);
            if (is) {
                free();
            }
            return is;
        });
    }

    private static boolean isTaken(ScriptCall call, Predicate<ScriptCall> picked, Consumer<ScriptCall> taken) {
        boolean is = picked.test(call);
        if (is) {
            taken.accept(call);
        }
        return is;
    }

    /** When a call that waits has waited too long. */
    long dueNanos(ScriptCall call) {
        long patienceEnds = call.sentNanos + patienceNanos;
        return call.deadlineNanos - patienceEnds < 0 ? call.deadlineNanos : patienceEnds;
    }

    /**
     * Takes calls out of the line that have waited too long, and tells of them and of the others. If there are very many, the
     * rest is left to the next look.
     */
    void expire(long nowNanos, Consumer<ScriptCall> expired, Consumer<ScriptCall> waiting) {
        urgent.removeFromLine(call -> isDue(call, nowNanos, expired, waiting));
        int[] left = {MOST_PER_LOOK};
        Consumer<ScriptCall> freedAndExpired = call -> {
            left[0]--;
            free();
            expired.accept(call);
        };
        ordinary.removeFromLine(
                call -> left[0] > 0 ? isDue(call, nowNanos, freedAndExpired, waiting) : isLeft(call, waiting));
    }

    private boolean isDue(ScriptCall call, long nowNanos, Consumer<ScriptCall> expired, Consumer<ScriptCall> waiting) {
        boolean due = dueNanos(call) - nowNanos <= 0;
        (due ? expired : waiting).accept(call);
        return due;
    }

    private static boolean isLeft(ScriptCall call, Consumer<ScriptCall> waiting) {
        waiting.accept(call);
        return false;
    }
}
