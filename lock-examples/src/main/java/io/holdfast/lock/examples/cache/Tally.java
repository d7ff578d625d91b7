package io.holdfast.lock.examples.cache;

import io.holdfast.lock.examples.console.Samples;
import java.util.StringJoiner;

/** What the parties of one process counted in one run. Travels back as one line. */
final class Tally {

    private int torn;
    private final Samples waits = new Samples();

    /** One visit to the cache, after a wait for the lock. */
    synchronized void add(long waitedNanos, boolean whole) {
        waits.add(waitedNanos);
        torn += whole ? 0 : 1;
    }

    synchronized void add(Tally other) {
        waits.addAll(other.waits);
        torn += other.torn;
    }

    synchronized int visits() {
        return waits.size();
    }

    /** Reads that found two versions. */
    synchronized int torn() {
        return torn;
    }

    synchronized Samples waits() {
        return waits;
    }

    synchronized String toLine() {
        StringJoiner line = new StringJoiner(" ");
        line.add(String.valueOf(torn));
        for (int index = 0; index < waits.size(); index++) {
            line.add(String.valueOf(waits.get(index)));
        }
        return line.toString();
    }

    static Tally ofLine(String line) {
        String[] words = line.split(" ");
        Tally tally = new Tally();
        tally.torn = Integer.parseInt(words[0]);
        for (int index = 1; index < words.length; index++) {
            tally.waits.add(Long.parseLong(words[index]));
        }
        return tally;
    }
}
