package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.Arrays;
import java.util.List;

/** The medians of everything that was measured, with the ratio of what matters most. Folded away at first. */
final class FigureTable {

    private final List<WorkloadResult> results;

    FigureTable(List<WorkloadResult> results) {
        this.results = results;
    }

    @Override
    public String toString() {
        Metric figure = results.get(0).about().figures();
        List<Metric> metrics = Arrays.stream(Metric.values())
                .filter(metric -> results.stream().anyMatch(result -> result.peers().stream()
                        .anyMatch(peer -> result.spread(peer, metric).isPresent())))
                .toList();
        StringBuilder table =
                new StringBuilder("<details><summary>all figures</summary><div class=\"scroll\"><table>\n<tr>");
        if (results.size() > 1) {
            table.append("<th>threads</th>");
        }
        table.append("<th>peer</th><th title=\"by %s, round by round\">Holdfast / it</th>".formatted(figure.title()));
        metrics.forEach(metric ->
                table.append("<th title=\"%s\">%s</th>".formatted(metric.title(), Svg.escape(metric.heading()))));
        table.append("</tr>\n");
        for (WorkloadResult result : results) {
            for (PeerKind peer : result.peers()) {
                row(table, result, peer, figure, metrics);
            }
        }
        return table.append("</table></div></details>\n").toString();
    }

    private void row(StringBuilder table, WorkloadResult result, PeerKind peer, Metric figure, List<Metric> metrics) {
        table.append("<tr>");
        if (results.size() > 1) {
            table.append("<td>%d</td>".formatted(result.about().x()));
        }
        String ratio = peer == PeerKind.HOLDFAST
                ? ""
                : result.ratio(PeerKind.HOLDFAST, peer, figure)
                        .map(spread ->
                                Text.ratio(spread) + (spread.rounds() > 1 ? " (" + Text.range(spread) + ")" : ""))
                        .orElse("");
        table.append("<td>%s</td><td>%s</td>".formatted(Svg.escape(peer.shortTitle()), ratio));
        metrics.forEach(metric -> table.append("<td>%s</td>"
                .formatted(result.spread(peer, metric).map(Text::median).orElse(""))));
        table.append("</tr>\n");
    }
}
