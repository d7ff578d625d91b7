package io.holdfast.lock.tests.soak;

import io.holdfast.lock.tests.soak.Tally.End;
import java.util.List;
import java.util.Locale;

/** The result of a soak as Markdown. */
final class SoakReport {

    private final Soak soak;
    private final StringBuilder text = new StringBuilder();

    private SoakReport(Soak soak) {
        this.soak = soak;
    }

    static String of(Soak soak) {
        return new SoakReport(soak).write();
    }

    private String write() {
        List<String> violations = soak.invariants.violations();
        row("soak", violations.isEmpty() ? "passed" : "**failed**");
        row("---", "---");
        row("length", soak.options.length().toMinutes() + " minutes");
        row("seed", "`" + soak.options.seed() + "`");
        row("clients", Soak.JVMS + " JVMs, each with a client of one server and one of a quorum");
        row("servers", "1 alone, " + Soak.QUORUM_NODES + " as a quorum, each behind a proxy, with append-only files");
        row("locks", number(SoakClients.SINGLE_LOCKS + SoakClients.QUORUM_LOCKS));
        for (End end : End.values()) {
            row(end.words, number(soak.count(end)));
        }
        for (FaultKind kind : FaultKind.values()) {
            row("fault: " + kind.words, number(soak.count(kind)));
        }
        for (Jvm jvm : soak.jvms) {
            row(
                    jvm.name + ": heap after collection, first and last third",
                    String.format(Locale.ROOT, "%.1f MB, %.1f MB", jvm.heap.first() / 1e6, jvm.heap.last() / 1e6));
            row(
                    jvm.name + ": descriptors, first and last third",
                    jvm.descriptors.first() + ", " + jvm.descriptors.last());
        }
        row("invariants violated", number(soak.invariants.violationCount()));
        violations.forEach(violation -> text.append("\n- ").append(violation));
        return text.append(violations.isEmpty() ? "" : "\n").toString();
    }

    private void row(String what, String value) {
        text.append(String.format("| %-52s | %-70s |%n", what, value));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
