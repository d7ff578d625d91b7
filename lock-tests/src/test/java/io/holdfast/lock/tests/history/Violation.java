package io.holdfast.lock.tests.history;

/**
 * A lock whose history is impossible.
 *
 * @param operation the first call for which there is no place in any order
 * @param message the whole story, in several lines
 */
public record Violation(String lock, Operation operation, String message) {}
