package io.holdfast.lock.tests.models;

import java.util.List;
import java.util.function.Predicate;

/** A model of which something else is asked than what must hold in it. */
record Narrowed<S>(Model<S> model, List<Model.Invariant<S>> invariants) implements Model<S> {

    /** Whether there is such a state: a model in which nothing happens would keep every invariant. */
    static <S> boolean canBe(Model<S> model, Predicate<S> wanted, int limit) {
        Model<S> narrowed = new Narrowed<>(model, List.of(new Invariant<>("not yet", wanted.negate())));
        return Explorer.explore(narrowed, limit).counterexample() != null;
    }

    /** Without one of the invariants. */
    static <S> Model<S> without(Model<S> model, String name) {
        return new Narrowed<>(
                model,
                model.invariants().stream()
                        .filter(invariant -> !invariant.name().equals(name))
                        .toList());
    }

    @Override
    public S start() {
        return model.start();
    }

    @Override
    public void steps(S state, Steps<S> steps) {
        model.steps(state, steps);
    }

    @Override
    public Object identity(S state) {
        return model.identity(state);
    }
}
