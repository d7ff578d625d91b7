package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.List;

/** What happened in a run, for readers: time, who, what. */
final class Trace {

    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Line> lines = new ArrayList<>();

    private record Line(long nanos, String who, String what) {}

    void add(long nanos, String who, String what) {
        lines.add(new Line(nanos, who, what));
    }

    /** The last lines, one for each event, in columns. */
    String text(int most) {
        int width = Math.max(
                1, lines.stream().mapToInt(line -> line.who.length()).max().orElse(0));
        StringBuilder text = new StringBuilder();
        for (Line line : lines.subList(Math.max(0, lines.size() - most), lines.size())) {
            text.append(String.format(
                    "%14.3f ms  %-" + width + "s  %s%n", line.nanos / NANOS_PER_MILLI, line.who, line.what));
        }
        return text.toString();
    }
}
