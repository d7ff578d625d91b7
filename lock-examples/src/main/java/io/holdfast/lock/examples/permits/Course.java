package io.holdfast.lock.examples.permits;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** How many connections were open at which time. Any thread may add to it. */
final class Course {

    /** From this time on so many were open. */
    private record Change(long nanos, int open) {}

    private final List<Change> changes = new ArrayList<>();

    /** From now on so many are open; times come in order. */
    synchronized void add(long nanos, int open) {
        changes.add(new Change(nanos, open));
    }

    /** The most that were open at any time. */
    synchronized int most() {
        return changes.stream().mapToInt(Change::open).max().orElse(0);
    }

    /** The most that were open at any time between these two. */
    synchronized int mostBetween(long fromNanos, long toNanos) {
        int most = 0;
        for (int i = 0; i < changes.size() && changes.get(i).nanos() < toNanos; i++) {
            boolean lasts = i + 1 == changes.size() || changes.get(i + 1).nanos() > fromNanos;
            most = lasts ? Math.max(most, changes.get(i).open()) : most;
        }
        return most;
    }

    /** When so many were open for the first time after this; empty if they never were. */
    synchronized OptionalLong firstAfter(long nanos, int open) {
        return changes.stream()
                .filter(change -> change.nanos() > nanos && change.open() >= open)
                .mapToLong(Change::nanos)
                .findFirst();
    }

    /** A digit for each slice of the time from the start: the most that were open in it. */
    String digits(long startNanos, long sliceNanos, int slices) {
        StringBuilder digits = new StringBuilder();
        for (int slice = 0; slice < slices; slice++) {
            long from = startNanos + slice * sliceNanos;
            digits.append(Math.min(mostBetween(from, from + sliceNanos), 9));
        }
        return digits.toString();
    }
}
