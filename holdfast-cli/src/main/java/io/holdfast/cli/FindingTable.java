package io.holdfast.cli;

import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Json;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.Finding;
import io.holdfast.lock.Finding.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The findings of a diagnosis: a table with what was seen, what follows and what to do, or one JSON object a line. */
final class FindingTable {

    private static final int WIDTH = 79;
    private static final int SEVERITY_WIDTH = 9;
    private static final int CODE_WIDTH = 25;
    private static final int LABEL_WIDTH = 8;
    private static final int LEAST_WIDTH = 20;

    private final Screen screen;
    private final int width;

    FindingTable(Screen screen) {
        this.screen = screen;
        this.width = Math.min(screen.width(), WIDTH);
    }

    void print(List<Finding> findings) {
        if (findings.isEmpty()) {
            screen.line(screen.good("nothing found"));
            return;
        }
        screen.line(screen.bold(Cells.fit("severity", SEVERITY_WIDTH) + Cells.fit("finding", CODE_WIDTH) + "node"));
        findings.forEach(this::print);
        screen.line("");
        screen.line(count(findings, Severity.PROBLEM, "problem") + ", " + count(findings, Severity.WARNING, "warning")
                + ", " + count(findings, Severity.NOTE, "note"));
    }

    private void print(Finding finding) {
        String severity = Cells.fit(finding.severity().name(), SEVERITY_WIDTH);
        String coloured =
                switch (finding.severity()) {
                    case PROBLEM -> screen.bad(severity);
                    case WARNING -> screen.doubtful(severity);
                    case NOTE -> screen.dim(severity);
                };
        // The address of a cluster has no blanks.
        String node = finding.node().replaceAll(",(?! )", ", ");
        detail(coloured + Cells.fit(finding.code().name(), CODE_WIDTH), SEVERITY_WIDTH + CODE_WIDTH, node);
        detail(label("seen"), SEVERITY_WIDTH + LABEL_WIDTH, finding.seen());
        detail(label("follows"), SEVERITY_WIDTH + LABEL_WIDTH, finding.consequence());
        detail(label("to do"), SEVERITY_WIDTH + LABEL_WIDTH, finding.remedy());
    }

    private String label(String text) {
        return " ".repeat(SEVERITY_WIDTH) + screen.dim(Cells.fit(text, LABEL_WIDTH));
    }

    private void detail(String start, int indent, String text) {
        String before = start;
        for (String line : Cells.wrap(text, Math.max(LEAST_WIDTH, width - indent))) {
            screen.line(before + line);
            before = " ".repeat(indent);
        }
    }

    void printJson(List<Finding> findings) {
        for (Finding finding : findings) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("severity", finding.severity());
            object.put("finding", finding.code());
            object.put("node", finding.node());
            object.put("seen", finding.seen());
            object.put("follows", finding.consequence());
            object.put("remedy", finding.remedy());
            screen.line(Json.of(object));
        }
    }

    private static String count(List<Finding> findings, Severity severity, String noun) {
        long number = findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
