package io.holdfast.lock.benchmarks.result;

/**
 * One hold of a contended lock: who had it, and when, counted from the start of the round.
 *
 * @param party the thread, counted from 0 over all clients and processes
 */
public record Turn(int party, long startNanos, long endNanos) {}
