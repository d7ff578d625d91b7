package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Turn;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One workload on the page: its charts, and its figures as a table. */
final class Card {

    private static final double TIMELINE_MILLIS = 40;
    /** More rows than this can't be told apart. */
    private static final int MOST_TIMELINE_PARTIES = 64;

    private final WorkloadResult result;

    Card(WorkloadResult result) {
        this.result = result;
    }

    @Override
    public String toString() {
        StringBuilder card = new StringBuilder();
        open(card, result.about().title(), result.about().explanation());
        for (Metric metric : figures()) {
            BarChart bars = new BarChart(result, metric);
            if (!bars.isEmpty()) {
                figure(card, "", bars.toString());
            }
        }
        CurveChart latency = Curves.latency(result);
        if (!latency.isEmpty()) {
            figure(card, "", latency + legend(result.peers()));
        }
        contention(card);
        card.append(new FigureTable(List.of(result)));
        return card.append("</section>\n").toString();
    }

    /** The bars that tell most. */
    private Set<Metric> figures() {
        Set<Metric> figures = new LinkedHashSet<>();
        figures.add(result.about().figures());
        switch (result.about().family()) {
            case "start-up" -> figures.add(Metric.THREADS);
            case "watched" -> figures.addAll(List.of(Metric.RENEWAL_CPU, Metric.STALL));
            default -> {}
        }
        return figures;
    }

    private void contention(StringBuilder card) {
        StringBuilder timelines = new StringBuilder();
        for (PeerKind peer : result.peers()) {
            List<Turn> turns = result.turns(peer);
            int parties = result.served(peer).length;
            if (!turns.isEmpty() && parties > 1 && parties <= MOST_TIMELINE_PARTIES && isShared()) {
                timelines.append(new TimelineChart(peer, turns, parties, TIMELINE_MILLIS));
            }
        }
        if (timelines.length() > 0) {
            figure(
                    card,
                    "Who had the lock when: a row for each thread, from the start of the first round.",
                    timelines.toString());
        }
        FairnessChart fairness = new FairnessChart(result);
        if (!fairness.isEmpty() && isShared()) {
            figure(
                    card,
                    "How often each thread was served, from the least to the most; the line is an equal share.",
                    fairness.toString());
        }
    }

    private boolean isShared() {
        return !result.about().family().contains("own");
    }

    /** A curve over the number of threads, with its figures. */
    static String ofCurve(List<WorkloadResult> points) {
        WorkloadResult first = points.get(0);
        boolean hot = first.about().family().endsWith("hot");
        StringBuilder card = new StringBuilder();
        open(
                card,
                hot ? "One hot lock, 1 to many threads" : "Own locks, 1 to many threads",
                first.about().explanation());
        List<Metric> metrics = new ArrayList<>(List.of(Metric.THROUGHPUT, Metric.P99));
        for (Metric metric : metrics) {
            CurveChart chart = Curves.scaling(points, metric);
            if (!chart.isEmpty()) {
                figure(card, "", chart.toString());
            }
        }
        card.append(legend(first.peers()));
        card.append(new FigureTable(points));
        return card.append("</section>\n").toString();
    }

    /** What operations cost beside time. */
    static String ofCosts(WorkloadResult result) {
        StringBuilder card = new StringBuilder();
        open(card, result.about().title(), "");
        for (Metric metric :
                List.of(Metric.COMMANDS, Metric.CALLS, Metric.ALLOCATED, Metric.CLIENT_CPU, Metric.SERVER_CPU)) {
            BarChart bars = new BarChart(result, metric);
            if (!bars.isEmpty()) {
                figure(card, "", bars.toString());
            }
        }
        return card.append("</section>\n").toString();
    }

    private static void open(StringBuilder card, String title, String text) {
        card.append("<section class=\"card\">\n<h3>").append(Svg.escape(title)).append("</h3>\n");
        if (!text.isEmpty()) {
            card.append("<p>").append(Svg.escape(text)).append("</p>\n");
        }
    }

    private static void figure(StringBuilder card, String caption, String drawing) {
        card.append("<figure>");
        if (!caption.isEmpty()) {
            card.append("<figcaption>").append(Svg.escape(caption)).append("</figcaption>");
        }
        card.append(drawing).append("</figure>\n");
    }

    private static String legend(List<PeerKind> peers) {
        StringBuilder legend = new StringBuilder("<div class=\"legend\">");
        peers.forEach(peer -> legend.append(
                "<span><i class=\"k-%s\"></i>%s</span>".formatted(peer.id(), Svg.escape(peer.shortTitle()))));
        return legend.append("</div>\n").toString();
    }
}
