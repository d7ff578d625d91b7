package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one slot that wait until no node has any of its calls (rule 98): those that a node has sent on go first, then
 * those that had not been written there, then those that have come since.
 *
 * <p>Belongs to the event loop.
 */
final class Changeover {

    /**
     * A call that a node has sent on.
     *
     * @param asked the node that takes it as the slot is on its way there; null for the slot's primary
     */
    record Passed(ScriptCall call, @Nullable ClusterNode asked) {}

    private final Deque<Passed> passed = new ArrayDeque<>();
    private final Deque<ScriptCall> waiting = new ArrayDeque<>();

    /** The slot's primary when the changeover opens; null while it is not known. */
    @Nullable
    ClusterNode primary;

    Changeover(@Nullable ClusterNode primary) {
        this.primary = primary;
    }

    void add(ScriptCall call) {
        waiting.add(call);
    }

    void addPassed(ScriptCall call, @Nullable ClusterNode asked) {
        passed.add(new Passed(call, asked));
    }

    /** Whether a node has to be asked before the primary. */
    boolean isAskingFirst() {
        return !passed.isEmpty() && passed.element().asked != null;
    }

    /** The node that is asked first, with {@link #isAskingFirst}. */
    ClusterNode firstAsked() {
        ClusterNode asked = passed.element().asked;
        if (asked == null) {
            throw new IllegalStateException("no node is asked first");
        }
        return asked;
    }

    /** Takes those calls out that this node is asked first. */
    void takeAsked(ClusterNode node, Consumer<ScriptCall> taken) {
        while (!passed.isEmpty() && passed.element().asked == node) {
            taken.accept(passed.remove().call);
        }
    }

    /** Takes the calls out that go to the primary, in their order, up to one that another node is asked. */
    void takeForPrimary(Consumer<ScriptCall> taken) {
        while (!passed.isEmpty() && passed.element().asked == null) {
            taken.accept(passed.remove().call);
        }
        if (passed.isEmpty()) {
            takeAll(taken);
        }
    }

    /** Takes all calls out. */
    void takeAll(Consumer<ScriptCall> taken) {
        while (!passed.isEmpty()) {
            taken.accept(passed.remove().call);
        }
        while (!waiting.isEmpty()) {
            taken.accept(waiting.remove());
        }
    }

    boolean isEmpty() {
        return passed.isEmpty() && waiting.isEmpty();
    }

    /** Takes those calls out that the test picks. */
    void takeOut(Predicate<ScriptCall> picked, Consumer<ScriptCall> taken) {
        passed.removeIf(each -> isTaken(each.call, picked, taken));
        waiting.removeIf(call -> isTaken(call, picked, taken));
    }

    private static boolean isTaken(ScriptCall call, Predicate<ScriptCall> picked, Consumer<ScriptCall> taken) {
        boolean is = picked.test(call);
        if (is) {
            taken.accept(call);
        }
        return is;
    }
}
