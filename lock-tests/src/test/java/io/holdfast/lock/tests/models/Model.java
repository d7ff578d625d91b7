package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A protocol so small that all its states can be visited. States are immutable values.
 *
 * @param <S> the states
 */
interface Model<S> {
    S start();

    /** Tells all steps that are possible in a state, always in the same order. */
    void steps(S state, Steps<S> steps);

    List<Invariant<S>> invariants();

    /** What is the same for states that differ only in the names of equal parts; one of them is visited. */
    default Object identity(S state) {
        return state;
    }

    /** The description of a step, made when it is read. */
    static Supplier<String> text(String format, Object... arguments) {
        return () -> String.format(format, arguments);
    }

    /** Takes the possible steps. Their descriptions are made only for those who read them. */
    interface Steps<S> {
        void step(S next, Supplier<String> what);
    }

    /** What must hold in every state. */
    record Invariant<S>(String name, Predicate<S> holds) {}
}
