package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Turn;
import java.util.List;

/** Who had a contended lock when: a row for each thread, a mark for each of its holds. */
final class TimelineChart {

    private static final int WIDTH = 480;
    private static final int LEFT = 30;
    private static final int TOP = 24;
    private static final int HEIGHT = 176;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double LEAST_WIDTH = 0.9;

    private final PeerKind peer;
    private final List<Turn> turns;
    private final int parties;
    private final double lengthMillis;

    /**
     * @param lengthMillis how much time is drawn
     */
    TimelineChart(PeerKind peer, List<Turn> turns, int parties, double lengthMillis) {
        this.peer = peer;
        this.turns = turns;
        this.parties = parties;
        this.lengthMillis = lengthMillis;
    }

    @Override
    public String toString() {
        Svg svg = new Svg(WIDTH, HEIGHT + TOP + 24, peer.title() + ": who had the lock when");
        long drawn = turns.stream()
                .filter(turn -> turn.startNanos() / NANOS_PER_MILLI < lengthMillis)
                .count();
        svg.text(0, 13, peer.title(), "start", "name strong");
        svg.text(WIDTH, 13, Text.exact(drawn) + " holds in " + Text.exact(lengthMillis) + " ms", "end", "label");
        double row = (double) HEIGHT / Math.max(1, parties);
        svg.box(LEFT, TOP, WIDTH - LEFT, HEIGHT, "frame");
        for (int party = 0; party < parties; party++) {
            double y = TOP + row * (party + 0.5);
            svg.line(LEFT, y, WIDTH, y, "grid");
            if (parties <= 16) {
                svg.text(LEFT - 6, y + 4, String.valueOf(party + 1), "end", "small");
            }
        }
        Scale scale = Scale.linear(lengthMillis, LEFT, WIDTH);
        for (Turn turn : turns) {
            double start = scale.at(turn.startNanos() / NANOS_PER_MILLI);
            double end = Math.min(WIDTH, scale.at(turn.endNanos() / NANOS_PER_MILLI));
            if (start < WIDTH) {
                svg.box(
                        start,
                        TOP + row * turn.party() + row * 0.12,
                        Math.max(LEAST_WIDTH, end - start),
                        row * 0.76,
                        Style.of(peer));
            }
        }
        for (double mark : scale.marks()) {
            svg.text(
                    scale.at(mark),
                    TOP + HEIGHT + 17,
                    Text.exact(mark) + (mark == 0 ? " ms" : ""),
                    mark == 0 ? "start" : mark == lengthMillis ? "end" : "middle",
                    "tick");
        }
        return svg.toString();
    }
}
