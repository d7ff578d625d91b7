package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Spread;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.List;
import java.util.Optional;

/** One bar for each peer, with its range over the rounds and with Holdfast's ratio to it. */
final class BarChart {

    private static final int WIDTH = 480;
    private static final int ROW = 42;
    private static final int TOP = 26;
    private static final int BARS = 330;
    private static final int THICK = 15;

    private final WorkloadResult result;
    private final Metric metric;

    BarChart(WorkloadResult result, Metric metric) {
        this.result = result;
        this.metric = metric;
    }

    /** Whether there is something to draw. */
    boolean isEmpty() {
        return peers().isEmpty();
    }

    private List<PeerKind> peers() {
        return result.peers().stream()
                .filter(peer -> result.spread(peer, metric).isPresent())
                .toList();
    }

    @Override
    public String toString() {
        List<PeerKind> peers = peers();
        Svg svg = new Svg(
                WIDTH,
                TOP + ROW * peers.size() + 4,
                metric.title() + ": " + result.about().title());
        double most = peers.stream()
                .flatMap(peer -> result.spread(peer, metric).stream())
                .mapToDouble(Spread::most)
                .max()
                .orElse(1);
        Scale scale = Scale.upTo(most, 0, BARS);
        svg.text(0, 13, heading(), "start", "label");
        if (peers.size() > 1 && peers.contains(PeerKind.HOLDFAST)) {
            svg.text(WIDTH, 13, "Holdfast / it", "end", "label");
        }
        int y = TOP;
        for (PeerKind peer : peers) {
            draw(svg, peer, scale, y);
            y += ROW;
        }
        return svg.toString();
    }

    private String heading() {
        return metric.title() + (metric.unit().isEmpty() ? "" : ", " + metric.unit());
    }

    private void draw(Svg svg, PeerKind peer, Scale scale, int y) {
        Spread spread = result.spread(peer, metric).orElseThrow();
        String style = Style.of(peer);
        double end = Math.max(1.5, scale.at(spread.median()));
        svg.text(0, y + 12, peer.title(), "start", peer == PeerKind.HOLDFAST ? "name strong" : "name");
        svg.bar(0, y + 18, end, THICK, style, peer.title() + ": " + hint(spread));
        if (spread.rounds() > 1 && spread.most() > spread.least()) {
            double middle = y + 18 + THICK / 2.0;
            svg.line(scale.at(spread.least()), middle, scale.at(spread.most()), middle, "whisker");
            svg.line(scale.at(spread.least()), middle - 4, scale.at(spread.least()), middle + 4, "whisker");
            svg.line(scale.at(spread.most()), middle - 4, scale.at(spread.most()), middle + 4, "whisker");
        }
        double right = Math.max(end, spread.rounds() > 1 ? scale.at(spread.most()) : 0);
        svg.text(right + 6, y + 18 + THICK - 3, Text.median(spread), "start", "value");
        Optional<Spread> ratio =
                peer == PeerKind.HOLDFAST ? Optional.empty() : result.ratio(PeerKind.HOLDFAST, peer, metric);
        ratio.ifPresent(times -> {
            svg.text(WIDTH, y + 18 + THICK - 3, Text.ratio(times), "end", "value strong");
            if (times.rounds() > 1) {
                svg.text(WIDTH, y + 12, Text.range(times), "end", "small");
            }
        });
    }

    private String hint(Spread spread) {
        return Text.withUnit(spread.median(), metric)
                + (spread.rounds() > 1 ? " (" + Text.range(spread) + " over " + spread.rounds() + " rounds)" : "");
    }
}
