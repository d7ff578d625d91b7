package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A run as a page that needs nothing but itself: a table, and for each row what was seen, over time. */
final class Report {

    private final Run run;

    Report(Run run) {
        this.run = run;
    }

    String html() {
        StringBuilder page = new StringBuilder();
        page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>Chaos report</title>\n<style>\n")
                .append(style())
                .append("</style>\n</head>\n<body>\n<main>\n");
        head(page);
        table(page);
        page.append(Timeline.LEGEND);
        run.results().forEach(result -> section(page, result));
        page.append("<footer>lock-tests/chaos")
                .append(run.choices().manner().options())
                .append("</footer>\n</main>\n</body>\n</html>\n");
        return page.toString();
    }

    private void head(StringBuilder page) {
        long failed = run.count(Verdict.FAILED);
        page.append("<h1>Chaos report: ")
                .append(
                        failed == 0
                                ? "<span class=\"passed\">held</span>"
                                : "<span class=\"failed\">" + failed + " broken</span>")
                .append("</h1>\n<p class=\"lead\">The fault matrix against real processes, ")
                .append(LocalDateTime.now().format(DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm", Locale.ENGLISH)))
                .append(", seed ")
                .append(run.choices().manner().seed())
                .append(", Java ")
                .append(Runtime.version().feature())
                .append(", ")
                .append(Runtime.getRuntime().availableProcessors())
                .append(" processors</p>\n<div class=\"figures\">");
        figure(page, "passed", run.count(Verdict.PASSED), "rows held");
        figure(page, failed == 0 ? "" : "failed", failed, "rows broken");
        figure(page, "", run.count(Verdict.SKIPPED), "rows skipped");
        figure(page, "", run.grants(), "grants");
        figure(page, "", run.lossesTold(), "losses told");
        figure(page, "", Math.round(run.seconds()), "seconds");
        page.append("</div>\n");
    }

    private static void figure(StringBuilder page, String kind, long number, String what) {
        page.append(
                String.format(Locale.ROOT, "<div><b class=\"%s\">%,d</b><span>%s</span></div>", kind, number, what));
    }

    private void table(StringBuilder page) {
        page.append("<div class=\"scroll\"><table>\n<thead><tr><th class=\"number\">row</th><th>fault</th>")
                .append("<th>how it is caused</th><th>must hold</th><th class=\"number\">seconds</th>")
                .append("<th class=\"number\">grants</th><th class=\"number\">losses told</th><th>verdict</th></tr>")
                .append("</thead>\n<tbody>\n");
        for (RowResult result : run.results()) {
            Row row = result.row();
            page.append(String.format(
                    Locale.ROOT,
                    "<tr><td class=\"number\">%s</td><td><a href=\"#row-%s\">%s</a></td><td>%s</td><td>%s</td>"
                            + "<td class=\"number\">%.1f</td><td class=\"number\">%,d</td><td class=\"number\">%,d</td>"
                            + "<td class=\"verdict %s\">%s</td></tr>%n",
                    row.name(),
                    row.name(),
                    escape(row.fault()),
                    escape(row.cause()),
                    escape(row.must()),
                    result.seconds(),
                    result.grants(),
                    result.lossesTold(),
                    result.verdict(),
                    result.verdict()));
        }
        page.append("</tbody>\n</table></div>\n");
    }

    private static void section(StringBuilder page, RowResult result) {
        Row row = result.row();
        page.append(String.format(
                "<section id=\"row-%s\"><header><span class=\"row\">%s</span><h2>%s</h2>"
                        + "<span class=\"verdict %s\">%s</span></header>%n<p class=\"means\">%s. Must hold: %s.</p>%n",
                row.name(),
                row.name(),
                escape(row.fault()),
                result.verdict(),
                result.verdict(),
                escape(row.cause()),
                escape(row.must())));
        for (Seen.Problem problem : result.problems()) {
            page.append("<pre>")
                    .append(escape(problem.check() + ": " + problem.text()))
                    .append("</pre>\n");
        }
        page.append("<ul>");
        Tally.of(result.observed())
                .forEach(line -> page.append("<li>").append(escape(line)).append("</li>"));
        page.append("</ul>\n");
        page.append(new Timeline(result).html());
        page.append("</section>\n");
    }

    private static String style() {
        try (InputStream style = Report.class.getResourceAsStream("report.css")) {
            if (style == null) {
                throw new IllegalStateException("report.css is not on the class path");
            }
            return new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
