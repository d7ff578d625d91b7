package io.holdfast.lock.tests.history;

import java.util.List;

/**
 * What was found in a history.
 *
 * @param violations what is wrong, at most one finding for each lock
 * @param givenUp the locks whose calls were too many at once to go through all their orders: nothing is said of them
 */
public record Judgement(List<Violation> violations, List<String> givenUp) {}
