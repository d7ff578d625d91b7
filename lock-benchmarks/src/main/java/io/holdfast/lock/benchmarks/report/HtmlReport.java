package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.RunResult;
import io.holdfast.lock.benchmarks.result.Verdict;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results as one web page that needs nothing from elsewhere. */
public final class HtmlReport {

    private final RunResult run;

    public HtmlReport(RunResult run) {
        this.run = run;
    }

    @Override
    public String toString() {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>Holdfast benchmarks</title>\n<style>\n")
                .append(Style.sheet())
                .append("</style>\n</head>\n<body>\n<main>\n");
        head(page);
        goals(page);
        for (Chapter chapter : Chapter.all()) {
            chapter(page, chapter);
        }
        costs(page);
        method(page);
        return page.append("</main>\n</body>\n</html>\n").toString();
    }

    private void head(StringBuilder page) {
        Map<String, String> facts = run.environment().facts();
        page.append("<h1>Holdfast beside its peers</h1>\n<p class=\"faint\">")
                .append(facts.entrySet().stream()
                        .filter(fact ->
                                List.of("date", "processor", "JDK", "server").contains(fact.getKey()))
                        .map(fact -> Svg.escape(fact.getValue()))
                        .collect(Collectors.joining(" &middot; ")))
                .append(
                        "</p>\n<p class=\"lead\">All peers took turns in the same run, so ratios mean more than figures:"
                                + " what else the machine did touched all of them. Each figure is the median of its rounds; the"
                                + " thin line on a bar is their range.</p>\n");
        tiles(page);
        page.append("<nav>");
        if (!run.verdicts().isEmpty()) {
            page.append("<a href=\"#goals\">Goals</a>");
        }
        Chapter.all().stream()
                .filter(chapter -> run.workloads().stream().anyMatch(result -> chapter.has(result.about())))
                .forEach(chapter ->
                        page.append("<a href=\"#%s\">%s</a>".formatted(chapter.id(), Svg.escape(chapter.title()))));
        if (!costCards().isEmpty()) {
            page.append("<a href=\"#costs\">Costs</a>");
        }
        page.append("<a href=\"#method\">Method and environment</a></nav>\n");
    }

    /** The ratios that most people come for. */
    private void tiles(StringBuilder page) {
        StringBuilder tiles = new StringBuilder();
        for (String name : List.of("uncontended-lease", "own-locks-16", "same-lock-16", "same-lock-clients", "async")) {
            run.workloads().stream()
                    .filter(result -> result.about().name().equals(name))
                    .findFirst()
                    .flatMap(result -> result.ratio(PeerKind.HOLDFAST, PeerKind.REDISSON, Metric.THROUGHPUT)
                            .map(ratio ->
                                    "<div class=\"tile\"><b>%s</b><span>Redisson&rsquo;s throughput: %s</span></div>\n"
                                            .formatted(
                                                    Text.ratio(ratio),
                                                    Svg.escape(result.about().title()))))
                    .ifPresent(tiles::append);
        }
        if (!run.verdicts().isEmpty()) {
            long met = run.verdicts().stream().filter(Verdict::isMet).count();
            tiles.append("<div class=\"tile\"><b>%d / %d</b><span>goals met</span></div>\n"
                    .formatted(met, run.verdicts().size()));
        }
        if (tiles.length() > 0) {
            page.append("<div class=\"tiles\">\n").append(tiles).append("</div>\n");
        }
    }

    private void goals(StringBuilder page) {
        if (run.verdicts().isEmpty()) {
            return;
        }
        page.append("<h2 id=\"goals\">Goals</h2>\n<p>Set before anything was measured, as ratios within one run on a"
                + " machine of two cores.</p>\n<div class=\"scroll\"><table>\n<tr><th class=\"wrap\">work</th>"
                + "<th>against</th><th>goal</th><th>measured</th><th>range</th><th>outcome</th></tr>\n");
        for (Verdict verdict : run.verdicts()) {
            GoalText text = new GoalText(verdict);
            page.append("<tr><td class=\"wrap\">%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>"
                    .formatted(
                            Svg.escape(text.what()),
                            text.against(),
                            Svg.escape(text.goal()),
                            text.measured(),
                            text.range()));
            page.append("<td><span class=\"verdict %s\">%s</span></td></tr>\n"
                    .formatted(verdict.isMet() ? "met" : "missed", Svg.escape(text.outcome())));
        }
        page.append("</table></div>\n");
    }

    private void chapter(StringBuilder page, Chapter chapter) {
        List<WorkloadResult> results = run.workloads().stream()
                .filter(result -> chapter.has(result.about()))
                .toList();
        if (results.isEmpty()) {
            return;
        }
        page.append("<h2 id=\"%s\">%s</h2>\n<p>%s</p>\n<div class=\"cards\">\n"
                .formatted(chapter.id(), Svg.escape(chapter.title()), Svg.escape(chapter.text())));
        results.stream().filter(result -> !result.about().isPoint()).forEach(result -> page.append(new Card(result)));
        results.stream()
                .filter(result -> result.about().isPoint())
                .collect(Collectors.groupingBy(
                        result -> result.about().family(), java.util.LinkedHashMap::new, Collectors.toList()))
                .values()
                .forEach(points -> page.append(Card.ofCurve(points)));
        page.append("</div>\n");
    }

    private String costCards() {
        return Stream.of("uncontended-lease", "same-lock-16", "same-lock-clients")
                .flatMap(name -> run.workloads().stream()
                        .filter(result -> result.about().name().equals(name)))
                .map(Card::ofCosts)
                .collect(Collectors.joining());
    }

    private void costs(StringBuilder page) {
        String cards = costCards();
        if (!cards.isEmpty()) {
            page.append(
                            "<h2 id=\"costs\">Costs</h2>\n<p>What a lock and unlock takes beside time. Commands are what the"
                                    + " client sends; bytes are allocated by all threads of the process but the one that"
                                    + " measures; processor time is that of the whole process.</p>\n<div class=\"cards\">\n")
                    .append(cards)
                    .append("</div>\n");
        }
    }

    private void method(StringBuilder page) {
        page.append("<h2 id=\"method\">Method and environment</h2>\n<ul>\n");
        for (String line : Method.LINES) {
            page.append("<li>").append(Svg.escape(line)).append("</li>\n");
        }
        page.append("</ul>\n<dl>\n");
        run.environment()
                .facts()
                .forEach((name, value) ->
                        page.append("<dt>%s</dt><dd>%s</dd>\n".formatted(Svg.escape(name), Svg.escape(value))));
        page.append("</dl>\n");
    }
}
