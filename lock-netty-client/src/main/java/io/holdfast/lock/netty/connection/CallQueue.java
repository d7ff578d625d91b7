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
 */
final class CallQueue {

    private final int limit;
    private final long patienceNanos;
    private final CallLane urgent = new CallLane();
    private final CallLane ordinary = new CallLane();
    /** How many ordinary calls have a place here. */
    private final AtomicInteger taken = new AtomicInteger();

    /** @param patienceNanos how long a call may wait here at most */
    CallQueue(int limit, long patienceNanos) {
        this.limit = limit;
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
        for (int now = taken.get(); now < limit; now = taken.get()) {
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** For how many ordinary calls there is room. Any thread. */
    int places() {
        return limit - taken.get();
    }

    /** Whether there is room for so many ordinary calls that it is worth telling. Any thread. */
    boolean isHalfEmpty() {
        return taken.get() <= limit / 2;
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
        return first != null || onlyUrgent ? first : freed(ordinary.poll());
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

    /** Takes calls out of the line that have waited too long, and tells of them and of the others. */
    void expire(long nowNanos, Consumer<ScriptCall> expired, Consumer<ScriptCall> waiting) {
        urgent.removeFromLine(call -> isDue(call, nowNanos, expired, waiting));
        Consumer<ScriptCall> freedAndExpired = call -> {
            taken.decrementAndGet();
            expired.accept(call);
        };
        ordinary.removeFromLine(call -> isDue(call, nowNanos, freedAndExpired, waiting));
    }

    private boolean isDue(ScriptCall call, long nowNanos, Consumer<ScriptCall> expired, Consumer<ScriptCall> waiting) {
        boolean due = dueNanos(call) - nowNanos <= 0;
        (due ? expired : waiting).accept(call);
        return due;
    }
}
