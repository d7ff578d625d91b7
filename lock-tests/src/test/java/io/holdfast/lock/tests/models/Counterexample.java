package io.holdfast.lock.tests.models;

import java.util.List;

/** A shortest way to a state in which an invariant is broken. */
record Counterexample(String broken, List<Step> steps) {

    /** What happened, and the state that it led to. */
    record Step(String what, String state) {}

    int length() {
        return steps.size();
    }

    /** The steps, numbered, and the last state. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append(String.format("%3d. %s%n", i + 1, steps.get(i).what()));
        }
        String last = steps.isEmpty() ? "" : steps.get(steps.size() - 1).state();
        return text + String.format("     broken: %s%n%s", broken, last.indent(5));
    }
}
