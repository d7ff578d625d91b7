package io.holdfast.lock.examples.doctor;

import io.holdfast.lock.Finding;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockFailure;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the outcome of a {@link ServerTrial} is shown: as a table, or as one JSON object that names no address. */
public final class TrialText {

    private static final int WIDTH = 79;

    private TrialText() {}

    /** Prints a table, and below it what was refused. */
    public static void print(Console console, ServerTrial.Report report) {
        RuntimeException refusal = report.refusal();
        if (refusal != null) {
            console.print("connect: " + console.bad(TrialOutcome.verdict(refusal)));
            Text.wrap(String.valueOf(refusal.getMessage()), WIDTH, 0).forEach(console::print);
            return;
        }
        Table table = new Table("kind", "verdict", "ms");
        for (TrialOutcome outcome : report.outcomes()) {
            Table.Cell verdict = new Table.Cell(
                    outcome.verdict(), text -> outcome.isFailure() ? console.bad(text) : console.good(text));
            table.row(outcome.kind().words(), verdict, outcome.millis());
        }
        console.print(table.lines());
        for (TrialOutcome outcome : report.outcomes()) {
            if (outcome.isFailure()) {
                console.print("", console.bold(outcome.kind().words()));
                Text.wrap(outcome.words(), WIDTH, 0).forEach(console::print);
            }
        }
    }

    /** One object: what came of it, and the codes of what the diagnosis found. */
    public static String json(ServerTrial.Report report, List<Finding> findings) {
        RuntimeException refusal = report.refusal();
        String kinds = report.outcomes().stream()
                .map(outcome -> "{\"kind\": " + quoted(outcome.kind().words())
                        + ", \"verdict\": " + quoted(outcome.verdict())
                        + ", \"millis\": " + outcome.millis()
                        + ", \"words\": " + quoted(withoutNode(outcome.failure())) + "}")
                .collect(Collectors.joining(",\n    "));
        String codes = findings.stream()
                .map(finding -> quoted(finding.code().name()))
                .distinct()
                .collect(Collectors.joining(", "));
        return "{\n  \"provider\": \"\",\n  \"holdfast\": " + quoted(version())
                + ",\n  \"connect\": " + quoted(refusal == null ? "connects" : TrialOutcome.verdict(refusal))
                + ",\n  \"words\": " + quoted(withoutNode(refusal))
                + ",\n  \"kinds\": [" + (kinds.isEmpty() ? "" : "\n    " + kinds + "\n  ")
                + "],\n  \"findings\": [" + codes + "]\n}";
    }

    private static String version() {
        return Objects.requireNonNullElse(LockClient.class.getPackage().getImplementationVersion(), "");
    }

    private static String withoutNode(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        String words = String.valueOf(failure.getMessage());
        if (failure instanceof LockFailure known) {
            for (String node : known.node().orElse("").split(", ", -1)) {
                words = node.isEmpty() ? words : words.replace(node, "NODE");
            }
        }
        return words;
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
