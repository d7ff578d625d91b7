package io.holdfast.lock.tests.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether histories could be those of a correct lock. A proof of its own that no lock has two holders and that tokens
 * increase: it looks for one order of all calls and answers, where other evidence compares holds.
 */
public final class Linearizability {

    private Linearizability() {}

    /** What is wrong, at most one finding for each lock; empty if the history is possible. */
    public static List<Violation> check(Model model, History history) {
        return judge(model, history, Long.MAX_VALUE).violations();
    }

    /**
     * As {@link #check}, with an end to the search.
     *
     * @param mostSteps how many points of sequential runs to compare for each lock before it is given up
     */
    public static Judgement judge(Model model, History history, long mostSteps) {
        List<Violation> violations = new ArrayList<>();
        List<String> givenUp = new ArrayList<>();
        history.byLock().forEach((lock, operations) -> {
            Search search = new Search(model, operations, mostSteps, true);
            if (search.run().isPresent()) {
                search = new Search(model, operations, mostSteps, false);
                search.run().ifPresent(violations::add);
            }
            if (search.hasGivenUp()) {
                givenUp.add(lock);
            }
        });
        return new Judgement(violations, givenUp);
    }

    /** Throws with the first call for which there is no place, and what stands in its way. */
    public static void require(Model model, History history) {
        List<Violation> found = check(model, history);
        if (!found.isEmpty()) {
            throw new AssertionError(found.stream().map(Violation::message).collect(Collectors.joining("\n\n")));
        }
    }
}
