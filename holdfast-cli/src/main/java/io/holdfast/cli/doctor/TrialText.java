package io.holdfast.cli.doctor;

import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Json;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.Finding;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The outcome of a {@link ServerTrial}: a table, or one JSON object that names no address. */
public final class TrialText {

    private static final int WIDTH = 79;
    private static final int KIND_WIDTH = 11;
    private static final int VERDICT_WIDTH = 20;
    private static final int MILLIS_WIDTH = 6;

    private TrialText() {}

    /** Prints a table, and below it the refusals. */
    public static void print(Screen screen, ServerTrial.Report report) {
        int width = Math.min(screen.width(), WIDTH);
        RuntimeException refusal = report.refusal();
        if (refusal != null) {
            screen.line("connect: " + screen.bad(TrialOutcome.verdict(refusal)));
            Cells.wrap(String.valueOf(refusal.getMessage()), width).forEach(screen::line);
            return;
        }
        screen.line(screen.bold(Cells.fit("kind", KIND_WIDTH) + " " + Cells.fit("verdict", VERDICT_WIDTH) + " "
                + Cells.right("ms", MILLIS_WIDTH)));
        for (TrialOutcome outcome : report.outcomes()) {
            String verdict = Cells.fit(outcome.verdict(), VERDICT_WIDTH);
            screen.line(Cells.fit(outcome.kind().words(), KIND_WIDTH) + " "
                    + (outcome.isFailure() ? screen.bad(verdict) : screen.good(verdict)) + " "
                    + Cells.right(String.valueOf(outcome.millis()), MILLIS_WIDTH));
        }
        for (TrialOutcome outcome : report.outcomes()) {
            if (outcome.isFailure()) {
                screen.line("");
                screen.line(screen.bold(outcome.kind().words()));
                Cells.wrap(outcome.words(), width).forEach(screen::line);
            }
        }
    }

    /** One object: the outcome, and the codes of the findings. */
    public static String json(ServerTrial.Report report, List<Finding> findings) {
        RuntimeException refusal = report.refusal();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("provider", "");
        object.put("holdfast", version());
        object.put("connect", refusal == null ? "connects" : TrialOutcome.verdict(refusal));
        object.put("words", withoutNode(refusal));
        object.put("kinds", report.outcomes().stream().map(TrialText::json).toList());
        object.put("findings", findings.stream().map(Finding::code).distinct().toList());
        return Json.of(object);
    }

    private static Map<String, Object> json(TrialOutcome outcome) {
        Map<String, Object> kind = new LinkedHashMap<>();
        kind.put("kind", outcome.kind().words());
        kind.put("verdict", outcome.verdict());
        kind.put("millis", outcome.millis());
        kind.put("words", withoutNode(outcome.failure()));
        return kind;
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
}
