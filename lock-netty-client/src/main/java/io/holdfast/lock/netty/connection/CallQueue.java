package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.ScriptCall;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue in front of a connection. Any thread adds calls; only the event loop takes them out: urgent ones first, and
 * each kind in its order.
 *
 * <p>The ordinary calls, which want locks or ask questions, are bounded. The urgent ones are not counted: one for
 * each hold and for each request without an answer is all that the engine sends.
 *
 * <p>The bound is lower where a connection takes fewer calls in the time that one may wait. The others would come back,
 * wait in vain again, and keep the event loop busy with nothing else. So there is less room when a call has waited for too
 * long, and more again, step by step, while none does.
 */
final class CallQueue {

    /** There is always room for so many, if the limit allows it. */
    private static final int FEWEST = 1_024;

    /** How much less room there is when a call has waited for too long. */
    private static final int CUT = 8;

    /** How many calls are told in one look that they have waited for too long: each may take a while. */
    private static final int MOST_PER_LOOK = 1_024;

    private final int limit;
    private final long patienceNanos;
    private final CallLane urgent = new CallLane();
    private final CallLane ordinary = new CallLane();
    /** How many ordinary calls have a place here. */
    private final AtomicInteger taken = new AtomicInteger();

    /** The bound of now, set by the event loop. */
    private volatile int room;

    // The event loop's own.

    private long roomCutNanos;
    private boolean wasCut;
    /** How many calls were taken out since the room has changed. */
    private int takenOut;

    /** @param patienceNanos how long a call may wait here at most */
    CallQueue(int limit, long patienceNanos) {
        this.limit = limit;
        this.room = limit;
        this.patienceNanos = patienceNanos;
    }

    /** Adds a call, unless it is an ordinary one and there is no room. Any thread. */
    boolean offer(ScriptCall call) {
        if (call.isUrgent()) {
            urgent.add(call);
            return true;
        }
        if (!takePlace()) {
            return false;
        }
        ordinary.add(call);
        return true;
    }

    /** Counts one more if there is room. A count that was taken back would have kept others out meanwhile. */
    private boolean takePlace() {
        for (int now = taken.get(); now < room; now = taken.get()) {
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** How many ordinary calls wait. Any thread. */
    int waiting() {
        return taken.get();
    }

    /** For how many ordinary calls there is room. Any thread. */
    int places() {
        return Math.max(0, room - taken.get());
    }

    /** Whether there is room for so many ordinary calls that it is worth telling. Any thread. */
    boolean isHalfEmpty() {
        return taken.get() <= room / 2;
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
        if (next != null && room < limit && ++takenOut >= room) {
            takenOut = 0;
            room = Math.min(limit, room + FEWEST);
        }
        return next;
    }

    /** A call has waited for too long though there is a connection: fewer may wait, once in such a time. */
    void isTooLong(long nowNanos) {
        if (!wasCut || nowNanos - roomCutNanos >= patienceNanos) {
            wasCut = true;
            roomCutNanos = nowNanos;
            takenOut = 0;
            room = Math.max(Math.min(limit, FEWEST), room / CUT);
        }
    }

    /** Takes a call out that is still at the entrance. Any thread, for when the event loop has ended. */
    @Nullable
    ScriptCall pollEntrance() {
        ScriptCall first = urgent.pollEntrance();
        return first != null ? first : freed(ordinary.pollEntrance());
    }

    private @Nullable ScriptCall freed(@Nullable ScriptCall call) {
        if (call != null) {
            taken.decrementAndGet();
        }
        return call;
    }

    /** Lets new calls stand in line, and tells of each. */
    void lineUp(Consumer<ScriptCall> added) {
        urgent.lineUp(added);
        ordinary.lineUp(added);
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
            taken.decrementAndGet();
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
