package io.holdfast.lock.benchmarks.workload;

/**
 * One turn.
 *
 * @param number counted from 0; -1 while warming up
 * @param millis how long it lasts, where it has a length
 * @param keepsTurns whether the first holds are kept, for a timeline
 */
public record Round(int number, long millis, boolean keepsTurns) {

    public static Round warmUp(long millis) {
        return new Round(-1, millis, false);
    }
}
