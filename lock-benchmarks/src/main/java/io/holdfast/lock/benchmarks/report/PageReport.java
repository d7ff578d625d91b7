package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.RunResult;
import io.holdfast.lock.benchmarks.result.Verdict;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.ArrayList;
import java.util.List;

/** The results as a section of a Markdown page, between two marks; what is outside of them is people's. */
public final class PageReport {

    static final String BEGIN = "<!-- results: written by the command, do not edit -->";
    static final String END = "<!-- end of results -->";

    private final RunResult run;

    public PageReport(RunResult run) {
        this.run = run;
    }

    /** The page with new results: in place of the old ones, or at its end. */
    public String into(String page) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            return page.stripTrailing() + "\n\n" + this;
        }
        return page.substring(0, begin)
                + this
                + page.substring(end + END.length()).replaceFirst("^\n", "");
    }

    @Override
    public String toString() {
        StringBuilder section = new StringBuilder(BEGIN).append("\n\n");
        run.environment().facts().forEach((name, value) -> section.append("- ")
                .append(name)
                .append(": ")
                .append(value)
                .append('\n'));
        if (!run.verdicts().isEmpty()) {
            section.append("\n### Goals\n\n| work | against | goal | measured | range | outcome |\n")
                    .append("|------|---------|------|----------|-------|---------|\n");
            for (Verdict verdict : run.verdicts()) {
                GoalText text = new GoalText(verdict);
                row(
                        section,
                        List.of(
                                text.what(),
                                text.against(),
                                text.goal(),
                                text.measured(),
                                text.range(),
                                text.outcome()));
            }
        }
        for (WorkloadResult result : run.workloads()) {
            workload(section, result);
        }
        return section.append('\n').append(END).append('\n').toString();
    }

    private static void workload(StringBuilder section, WorkloadResult result) {
        Metric figure = result.about().figures();
        List<Metric> columns = Columns.of(result);
        List<String> header = new ArrayList<>(List.of("", figure.heading(), "range", "Holdfast / it", "range"));
        columns.forEach(metric -> header.add(metric.heading()));
        section.append("\n### ").append(result.about().title()).append("\n\n");
        row(section, header);
        section.append("|--".repeat(header.size())).append("|\n");
        for (PeerKind peer : result.peers()) {
            boolean other = peer != PeerKind.HOLDFAST;
            List<String> row = new ArrayList<>();
            row.add(peer.title());
            row.add(result.spread(peer, figure).map(Text::median).orElse(""));
            row.add(result.spread(peer, figure).map(Text::range).orElse(""));
            row.add(
                    other
                            ? result.ratio(PeerKind.HOLDFAST, peer, figure)
                                    .map(Text::ratio)
                                    .orElse("")
                            : "");
            row.add(
                    other
                            ? result.ratio(PeerKind.HOLDFAST, peer, figure)
                                    .map(Text::range)
                                    .orElse("")
                            : "");
            columns.forEach(metric ->
                    row.add(result.spread(peer, metric).map(Text::median).orElse("")));
            row(section, row);
        }
    }

    private static void row(StringBuilder section, List<String> cells) {
        cells.forEach(cell -> section.append("| ").append(cell).append(' '));
        section.append("|\n");
    }
}
