package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue in front of a connection. Any thread adds calls at its entrance; only the event loop takes them
 * out, in their order.
 *
 * <p>Calls that can't be written yet move on from the entrance to a line inside, where their deadlines are known and
 * where they can be looked through without a thought for other threads.
 */
final class CallQueue {

    private final int limit;
    private final Queue<ScriptCall> entrance = new ConcurrentLinkedQueue<>();
    private final Queue<ScriptCall> line = new ArrayDeque<>();
    private final AtomicInteger size = new AtomicInteger();

    CallQueue(int limit) {
        this.limit = limit;
    }

    /** Adds a call, unless the queue is full. Any thread. */
    boolean offer(ScriptCall call) {
        if (!takePlace()) {
            return false;
        }
        entrance.add(call);
        return true;
    }

    /** Counts one more if there is room. A count that was taken back would have kept others out meanwhile. */
    private boolean takePlace() {
        for (int taken = size.get(); taken < limit; taken = size.get()) {
            if (size.compareAndSet(taken, taken + 1)) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return line.isEmpty() && entrance.isEmpty();
    }

    /** Takes the oldest call out. */
    @Nullable
    ScriptCall poll() {
        ScriptCall first = line.poll();
        if (first == null) {
            return pollEntrance();
        }
        size.decrementAndGet();
        return first;
    }

    /** Takes the oldest call out that is still at the entrance. Any thread, for when the event loop has ended. */
    @Nullable
    ScriptCall pollEntrance() {
        ScriptCall first = entrance.poll();
        if (first != null) {
            size.decrementAndGet();
        }
        return first;
    }

    /** Lets new calls stand in line, and tells of each. */
    void lineUp(Consumer<ScriptCall> added) {
        for (ScriptCall call = entrance.poll(); call != null; call = entrance.poll()) {
            line.add(call);
            added.accept(call);
        }
    }

    /** Takes calls out of the line whose deadline has passed, and tells of them and of the others. */
    void expire(long nowNanos, Consumer<ScriptCall> expired, Consumer<ScriptCall> waiting) {
        for (int left = line.size(); left > 0; left--) {
            ScriptCall call = line.remove();
            if (call.deadlineNanos - nowNanos <= 0) {
                size.decrementAndGet();
                expired.accept(call);
            } else {
                line.add(call);
                waiting.accept(call);
            }
        }
    }
}
