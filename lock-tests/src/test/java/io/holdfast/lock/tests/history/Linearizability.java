package io.holdfast.lock.tests.history;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether histories could be those of a correct lock. */
public final class Linearizability {

    private Linearizability() {}

    /** What is wrong, at most one finding for each lock; empty if the history is possible. */
    public static List<Violation> check(Model model, History history) {
        return history.byLock().values().stream()
                .map(operations -> new Search(model, operations).run())
                .flatMap(Optional::stream)
                .toList();
    }

    /** Throws with the first call for which there is no place, and what stands in its way. */
    public static void require(Model model, History history) {
        List<Violation> found = check(model, history);
        if (!found.isEmpty()) {
            throw new AssertionError(found.stream().map(Violation::message).collect(Collectors.joining("\n\n")));
        }
    }
}
