package io.holdfast.lock.tests.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a model says: with all rules, within bounds; or without one of its rules.
 *
 * @param without the rule that is left out; null if none is
 */
record Finding(Subject<?, ?> subject, Bounds bounds, @Nullable Rule without) {
    /** A run finds each only once, however many tests look at it. */
    private static final Map<Finding, Exploration> EXPLORED = new ConcurrentHashMap<>();

    /** All that is found in a short run, in the order of the table. */
    static List<Finding> all() {
        List<Finding> all = new ArrayList<>();
        for (Subject<?, ?> subject : Subject.ALL) {
            all.addAll(withAllRules(subject, false));
            subject.rules()
                    .forEach(rule -> all.add(new Finding(subject, rule.leftOut().bounds(), rule)));
        }
        return all;
    }

    static List<Finding> withAllRules(Subject<?, ?> subject, boolean isLong) {
        return subject.bounds(isLong).stream()
                .map(bounds -> new Finding(subject, bounds, null))
                .toList();
    }

    Exploration exploration() {
        return EXPLORED.computeIfAbsent(
                this, key -> without == null ? subject.withAllRules(bounds) : subject.without(without));
    }

    String name() {
        return subject.name() + (without == null ? " within " + bounds.name() : " without " + without.name());
    }

    /** The cells of the table. */
    List<String> row() {
        Exploration found = exploration();
        Counterexample counterexample = found.counterexample();
        return List.of(
                subject.name(),
                bounds.name(),
                without == null ? "none" : without.name(),
                without == null ? "" : Integer.toString(without.leftOut().number()),
                counterexample == null ? "holds" : "broken: " + counterexample.broken(),
                String.format("%,d", found.states()),
                Integer.toString(found.depth()));
    }
}
