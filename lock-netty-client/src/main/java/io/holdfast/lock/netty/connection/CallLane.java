package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls in the order of their arrival. Any thread adds calls at the entrance; only the event loop takes them out.
 *
 * <p>Calls that can't be written yet move on from the entrance to a line inside, where they can be looked through without
 * a thought for other threads.
 */
final class CallLane {

    private final Queue<ScriptCall> entrance = new ConcurrentLinkedQueue<>();
    private final Queue<ScriptCall> line = new ArrayDeque<>();

    /** Adds a call. Any thread. */
    void add(ScriptCall call) {
        entrance.add(call);
    }

    boolean isEmpty() {
        return line.isEmpty() && entrance.isEmpty();
    }

    /** Takes the oldest call out. */
    @Nullable
    ScriptCall poll() {
        ScriptCall first = line.poll();
        return first == null ? entrance.poll() : first;
    }

    /** Takes the oldest call out that is still at the entrance. Any thread, for when the event loop has ended. */
    @Nullable
    ScriptCall pollEntrance() {
        return entrance.poll();
    }

    /** Lets new calls stand in line, and tells of each. */
    void lineUp(Consumer<ScriptCall> added) {
        for (ScriptCall call = entrance.poll(); call != null; call = entrance.poll()) {
            line.add(call);
            added.accept(call);
        }
    }

    /** Takes those calls out of the line that the test picks. */
    void removeFromLine(Predicate<ScriptCall> picked) {
        for (int left = line.size(); left > 0; left--) {
            ScriptCall call = line.remove();
            if (!picked.test(call)) {
                line.add(call);
            }
        }
    }
}
