package io.holdfast.lock.tests.models;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Visits the states of a model, nearest first, until an invariant is broken or no state is left. So the first
 * counterexample is a shortest one, and none means that there is none.
 *
 * <p>Of a visited state only the identity is kept, and the number of the step that led there: a counterexample is
 * played again from the start.
 */
final class Explorer<S> {
    private final Model<S> model;
    private final int limit;
    private final Set<Object> seen = new HashSet<>();
    private final ArrayDeque<Visit<S>> next = new ArrayDeque<>();
    private int depth;

    private Explorer(Model<S> model, int limit) {
        this.model = model;
        this.limit = limit;
    }

    /**
     * Visits everything.
     *
     * @throws IllegalStateException if there are more states than the limit: a model that is not small
     */
    static <S> Exploration explore(Model<S> model, int limit) {
        return new Explorer<>(model, limit).run();
    }

    private Exploration run() {
        Optional<Exploration> found = visit(new Visit<>(model.start(), null));
        while (found.isEmpty() && !next.isEmpty()) {
            found = expand(next.remove());
        }
        return found.orElseGet(() -> new Exploration(seen.size(), depth, null));
    }

    private Optional<Exploration> expand(Visit<S> from) {
        List<S> states = new ArrayList<>();
        model.steps(from.state, (state, what) -> states.add(state));
        for (int number = 0; number < states.size(); number++) {
            Optional<Exploration> found = visit(new Visit<>(states.get(number), new Path(from.path, number)));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Exploration> visit(Visit<S> visit) {
        if (!seen.add(model.identity(visit.state))) {
            return Optional.empty();
        }
        if (seen.size() > limit) {
            throw new IllegalStateException("more states than the model may have (expected: <= " + limit + ")");
        }
        depth = Path.length(visit.path);
        for (Model.Invariant<S> invariant : model.invariants()) {
            if (!invariant.holds().test(visit.state)) {
                return Optional.of(new Exploration(seen.size(), depth, replay(visit.path, invariant.name())));
            }
        }
        next.add(visit);
        return Optional.empty();
    }

    private Counterexample replay(@Nullable Path path, String broken) {
        List<Integer> numbers = new ArrayList<>();
        for (Path at = path; at != null; at = at.before) {
            numbers.add(at.number);
        }
        Collections.reverse(numbers);
        List<Counterexample.Step> trace = new ArrayList<>();
        S state = model.start();
        for (int number : numbers) {
            List<S> states = new ArrayList<>();
            List<Supplier<String>> texts = new ArrayList<>();
            model.steps(state, (to, what) -> {
                states.add(to);
                texts.add(what);
            });
            state = states.get(number);
            trace.add(new Counterexample.Step(texts.get(number).get(), state.toString()));
        }
        return new Counterexample(broken, trace);
    }

    private record Visit<S>(S state, @Nullable Path path) {}

    /** The numbers of the steps from the start to a state, the last one first. */
    private static final class Path {
        private final @Nullable Path before;
        private final int number;
        private final int length;

        Path(@Nullable Path before, int number) {
            this.before = before;
            this.number = number;
            this.length = length(before) + 1;
        }

        static int length(@Nullable Path path) {
            return path == null ? 0 : path.length;
        }
    }
}
