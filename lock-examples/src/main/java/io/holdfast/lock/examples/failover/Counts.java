package io.holdfast.lock.examples.failover;

import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;

/** What buyers have counted of one article, or of all. Travels to the parent process as numbers in one line. */
final class Counts {

    private static final int NUMBERS = 5;

    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong sold = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    void grant() {
        granted.incrementAndGet();
    }

    void sale() {
        sold.incrementAndGet();
    }

    void loss() {
        lost.incrementAndGet();
    }

    void refusal() {
        refused.incrementAndGet();
    }

    void failure() {
        failed.incrementAndGet();
    }

    /** Locks that were granted. */
    long granted() {
        return granted.get();
    }

    /** Writes of a lowered stock that were accepted. */
    long sold() {
        return sold.get();
    }

    /** Locks of whose loss a buyer was told. */
    long lost() {
        return lost.get();
    }

    /** Writes that the stock refused, since it had seen a newer token. */
    long refused() {
        return refused.get();
    }

    /** Calls that ended in an error, and were made again. */
    long failed() {
        return failed.get();
    }

    void add(Counts other) {
        granted.addAndGet(other.granted());
        sold.addAndGet(other.sold());
        lost.addAndGet(other.lost());
        refused.addAndGet(other.refused());
        failed.addAndGet(other.failed());
    }

    String toLine() {
        return new StringJoiner(",")
                .add(String.valueOf(granted))
                .add(String.valueOf(sold))
                .add(String.valueOf(lost))
                .add(String.valueOf(refused))
                .add(String.valueOf(failed))
                .toString();
    }

    static Counts ofLine(String line) {
        String[] numbers = line.split(",");
        if (numbers.length != NUMBERS) {
            throw new IllegalArgumentException("counts: '" + line + "' (expected: " + NUMBERS + " numbers)");
        }
        Counts counts = new Counts();
        counts.granted.set(Long.parseLong(numbers[0]));
        counts.sold.set(Long.parseLong(numbers[1]));
        counts.lost.set(Long.parseLong(numbers[2]));
        counts.refused.set(Long.parseLong(numbers[3]));
        counts.failed.set(Long.parseLong(numbers[4]));
        return counts;
    }
}
