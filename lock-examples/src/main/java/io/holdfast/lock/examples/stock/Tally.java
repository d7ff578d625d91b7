package io.holdfast.lock.examples.stock;

import io.holdfast.lock.examples.console.Samples;
import java.util.StringJoiner;

/** What the buyers of one process counted in one run. Travels back as one line. */
final class Tally {

    private final Samples waits = new Samples();
    private int refused;
    private int faults;

    synchronized void add(Samples buyerWaits, int buyerRefused, int buyerFaults) {
        waits.addAll(buyerWaits);
        refused += buyerRefused;
        faults += buyerFaults;
    }

    synchronized void add(Tally other) {
        add(other.waits, other.refused, other.faults);
    }

    /** How long buyers waited for their turn. */
    synchronized Samples waits() {
        return waits;
    }

    /** Writes of buyers who were too late, refused. */
    synchronized int refused() {
        return refused;
    }

    /** Calls that ended in an error. */
    synchronized int faults() {
        return faults;
    }

    synchronized String toLine() {
        StringJoiner line = new StringJoiner(" ");
        line.add(String.valueOf(refused)).add(String.valueOf(faults));
        for (int index = 0; index < waits.size(); index++) {
            line.add(String.valueOf(waits.get(index)));
        }
        return line.toString();
    }

    static Tally ofLine(String line) {
        String[] words = line.split(" ");
        Samples waits = new Samples();
        for (int index = 2; index < words.length; index++) {
            waits.add(Long.parseLong(words[index]));
        }
        Tally tally = new Tally();
        tally.add(waits, Integer.parseInt(words[0]), Integer.parseInt(words[1]));
        return tally;
    }
}
