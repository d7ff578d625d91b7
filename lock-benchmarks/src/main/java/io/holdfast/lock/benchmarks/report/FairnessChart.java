package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.Arrays;

/** How often each thread was served, from the least to the most, against an equal share. */
final class FairnessChart {

    private static final int WIDTH = 480;
    private static final int PANEL = 96;
    private static final int TOP = 22;
    private static final double HIGHEST = 2.5;

    private final WorkloadResult result;

    FairnessChart(WorkloadResult result) {
        this.result = result;
    }

    boolean isEmpty() {
        return result.peers().stream().noneMatch(peer -> result.served(peer).length > 1);
    }

    @Override
    public String toString() {
        long panels = result.peers().stream()
                .filter(peer -> result.served(peer).length > 1)
                .count();
        Svg svg = new Svg(
                WIDTH,
                (int) panels * (PANEL + TOP + 6),
                "how often each thread was served: " + result.about().title());
        int top = 0;
        for (PeerKind peer : result.peers()) {
            if (result.served(peer).length > 1) {
                draw(svg, peer, top);
                top += PANEL + TOP + 6;
            }
        }
        return svg.toString();
    }

    private void draw(Svg svg, PeerKind peer, int top) {
        long[] served = result.served(peer);
        Arrays.sort(served);
        double share = Math.max(1e-9, Arrays.stream(served).average().orElse(1));
        long least = served[0];
        long most = served[served.length - 1];
        svg.text(0, top + 13, peer.title(), "start", "name strong");
        svg.text(
                WIDTH,
                top + 13,
                "least " + Text.exact(least) + ", most " + Text.exact(most) + ", ratio "
                        + Text.number(most == 0 ? 0 : (double) least / most),
                "end",
                "label");
        double bottom = top + TOP + PANEL;
        double step = (double) WIDTH / served.length;
        for (int i = 0; i < served.length; i++) {
            double times = Math.min(HIGHEST, served[i] / share);
            double height = PANEL * times / HIGHEST;
            svg.bar(
                    i * step + step * 0.1,
                    bottom - height,
                    step * 0.8,
                    Math.max(0.5, height),
                    Style.of(peer),
                    Text.exact(served[i]) + " times");
        }
        double equal = bottom - PANEL / HIGHEST;
        svg.line(0, equal, WIDTH, equal, "whisker");
        svg.line(0, bottom, WIDTH, bottom, "axis");
    }
}
