package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.RunResult;
import io.holdfast.lock.benchmarks.result.Verdict;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The results as plain, aligned tables. */
public final class TerminalReport {

    private final Screen screen;

    public TerminalReport(Screen screen) {
        this.screen = screen;
    }

    /** One workload, as soon as it is done. */
    public void print(WorkloadResult result) {
        Metric figure = result.about().figures();
        List<Metric> others = Columns.of(result);
        List<String> header = new ArrayList<>(List.of("", figure.heading(), "range", "Holdfast/it", "range"));
        others.forEach(metric -> header.add(metric.heading()));
        Table table = new Table(header);
        for (PeerKind peer : result.peers()) {
            List<String> row = new ArrayList<>();
            row.add(peer.title());
            row.add(result.spread(peer, figure).map(Text::median).orElse(""));
            row.add(result.spread(peer, figure).map(Text::range).orElse(""));
            boolean other = peer != PeerKind.HOLDFAST;
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
            others.forEach(metric ->
                    row.add(result.spread(peer, metric).map(Text::median).orElse("")));
            table.row(row);
        }
        screen.print(
                "",
                screen.bold(result.about().title())
                        + screen.dim("  " + result.about().name()));
        print(table);
    }

    /** What became of the goals, and the environment. */
    public void printEnd(RunResult run) {
        if (!run.verdicts().isEmpty()) {
            Table table = new Table(List.of("", "compared with", "goal", "measured", "range", ""));
            for (Verdict verdict : run.verdicts()) {
                GoalText text = new GoalText(verdict);
                table.row(
                        List.of(
                                text.what(),
                                text.against(),
                                text.goal(),
                                text.measured(),
                                text.range(),
                                text.outcome()),
                        verdict.isMet() ? screen::good : screen::bad);
            }
            long met = run.verdicts().stream().filter(Verdict::isMet).count();
            screen.print(
                    "", screen.bold("Goals: " + met + " of " + run.verdicts().size() + " met"));
            print(table);
        }
        screen.print(
                "",
                screen.dim(run.environment().facts().entrySet().stream()
                        .map(fact -> fact.getKey() + ": " + fact.getValue())
                        .collect(Collectors.joining("\n"))));
    }

    /** The names of the workloads, and what they are. */
    public void printList(Map<String, String> titles) {
        Table table = new Table(List.of("name", "title"));
        titles.forEach((name, title) -> table.row(List.of(name, title)));
        screen.print(table.lines().stream().map(String::stripTrailing).toArray(String[]::new));
    }

    private void print(Table table) {
        screen.print(table.lines().toArray(String[]::new));
    }
}
