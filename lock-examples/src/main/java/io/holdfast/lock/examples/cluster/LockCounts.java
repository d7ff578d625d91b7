package io.holdfast.lock.examples.cluster;

import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/** What workers have counted of one lock. Travels to the parent process as numbers in one line. */
final class LockCounts {

    private static final int NUMBERS = 7;

    private long granted;
    private long counted;
    private long refused;
    private long lost;
    private long failed;
    private long fallen;
    private long longestWaitMicros;

    private long lastToken;

    /** The lock was granted, after so long. Tokens are to rise from grant to grant. */
    synchronized void grant(long token, long waitNanos) {
        granted++;
        if (token <= lastToken) {
            fallen++;
        }
        lastToken = token;
        longestWaitMicros = Math.max(longestWaitMicros, TimeUnit.NANOSECONDS.toMicros(waitNanos));
    }

    synchronized void count() {
        counted++;
    }

    synchronized void refusal() {
        refused++;
    }

    synchronized void loss() {
        lost++;
    }

    synchronized void failure() {
        failed++;
    }

    /** Grants of the lock. */
    synchronized long granted() {
        return granted;
    }

    /** Writes of a number greater by one that were accepted. */
    synchronized long counted() {
        return counted;
    }

    /** Writes that were refused, since a newer token had been seen. */
    synchronized long refused() {
        return refused;
    }

    /** Holds of whose loss a worker was told. */
    synchronized long lost() {
        return lost;
    }

    /** Calls that ended in an error, and were made again. */
    synchronized long failed() {
        return failed;
    }

    /** Grants whose token was not greater than that of the grant before, to the same worker. */
    synchronized long fallen() {
        return fallen;
    }

    /** The longest time from a call to its grant since the last line. */
    synchronized long longestWaitNanos() {
        return TimeUnit.MICROSECONDS.toNanos(longestWaitMicros);
    }

    /** Adds what others have counted; of the waits the longest stays. */
    synchronized void add(LockCounts other) {
        granted += other.granted();
        counted += other.counted();
        refused += other.refused();
        lost += other.lost();
        failed += other.failed();
        fallen += other.fallen();
        longestWaitMicros = Math.max(longestWaitMicros, TimeUnit.NANOSECONDS.toMicros(other.longestWaitNanos()));
    }

    /** What was counted so far, and the longest wait since the last line. */
    synchronized String takeLine() {
        String line = new StringJoiner(",")
                .add(String.valueOf(granted))
                .add(String.valueOf(counted))
                .add(String.valueOf(refused))
                .add(String.valueOf(lost))
                .add(String.valueOf(failed))
                .add(String.valueOf(fallen))
                .add(String.valueOf(longestWaitMicros))
                .toString();
        longestWaitMicros = 0;
        return line;
    }

    static LockCounts ofLine(String line) {
        String[] numbers = line.split(",");
        if (numbers.length != NUMBERS) {
            throw new IllegalArgumentException("counts: '" + line + "' (expected: " + NUMBERS + " numbers)");
        }
        LockCounts counts = new LockCounts();
        counts.granted = Long.parseLong(numbers[0]);
        counts.counted = Long.parseLong(numbers[1]);
        counts.refused = Long.parseLong(numbers[2]);
        counts.lost = Long.parseLong(numbers[3]);
        counts.failed = Long.parseLong(numbers[4]);
        counts.fallen = Long.parseLong(numbers[5]);
        counts.longestWaitMicros = Long.parseLong(numbers[6]);
        return counts;
    }
}
