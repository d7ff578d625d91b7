package io.holdfast.lock.engine.preflight;

import io.holdfast.lock.Finding.Code;
import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.spi.ServerReport;
import io.holdfast.lock.spi.ServerReport.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the client's user may not do at one server, and what the server has no command for. */
final class RightFindings {

    private final Reliance reliance;
    private final ServerReport report;
    private final Findings findings;

    private RightFindings(Reliance reliance, ServerReport report, Findings findings) {
        this.reliance = reliance;
        this.report = report;
        this.findings = findings;
    }

    static void of(Reliance reliance, ServerReport report, Findings findings) {
        RightFindings judge = new RightFindings(reliance, report, findings);
        Verdict run = report.right(Rights.RUN);
        if (run == Verdict.DENIED || run == Verdict.ABSENT) {
            judge.noScripts(run);
        } else if (run == Verdict.KEYS_DENIED || judge.allKeysAreDenied()) {
            judge.noKeys();
        } else {
            judge.eachRight();
        }
    }

    private void noScripts(Verdict run) {
        findings.add(
                Code.SCRIPTS_REFUSED,
                Severity.PROBLEM,
                report.node(),
                run == Verdict.ABSENT ? "The server has no command EVALSHA" : "The user may not run EVALSHA",
                "Nothing works: every step of every lock is a script",
                run == Verdict.ABSENT
                        ? "Use a server that runs scripts"
                        : "Add +evalsha, +eval and +script|load to the user's rules");
    }

    private boolean allKeysAreDenied() {
        return Rights.ALL.stream()
                .filter(Right::hasKey)
                .allMatch(right -> report.right(right.name()) == Verdict.DENIED);
    }

    private void noKeys() {
        String keys = "~" + reliance.prefix() + ":*";
        findings.add(
                Code.MISSING_RIGHT,
                Severity.PROBLEM,
                report.node(),
                "The user may not use keys " + reliance.prefix() + ":*",
                "Nothing works: all locks are under such keys",
                "Add " + keys + " to the user's rules, and the commands of docs/acl.md");
    }

    private void eachRight() {
        List<String> unknown = new ArrayList<>();
        for (Right right : Rights.ALL) {
            if (!isUsed(right)) {
                continue;
            }
            switch (report.right(right.name())) {
                case ALLOWED -> {}
                case DENIED, KEYS_DENIED -> missing(right);
                case ABSENT -> absent(right);
                case UNKNOWN -> unknown.add('+' + right.name());
            }
        }
        if (!unknown.isEmpty()) {
            findings.add(
                    Code.UNKNOWN_RIGHTS,
                    Severity.NOTE,
                    report.node(),
                    "Not known: " + String.join(" ", unknown),
                    "Whether the user has these rights shows when they are used",
                    "Compare the user's rules (ACL GETUSER) with docs/acl.md");
        }
    }

    private boolean isUsed(Right right) {
        return switch (right.use()) {
            case ALWAYS -> true;
            case WITH_REPLICAS ->
                reliance.failsOver() || !report.info("connected_slaves").matches("0?");
            case IN_A_CLUSTER -> report.info("redis_mode").equals("cluster");
        };
    }

    private void missing(Right right) {
        String channels = right.hasChannel() ? " and &" + reliance.prefix() + ":*" : "";
        findings.add(
                Code.MISSING_RIGHT,
                right.severity(),
                report.node(),
                "The user may not run " + spoken(right),
                right.consequence(),
                "Add +" + right.name() + channels + " to the user's rules");
    }

    private void absent(Right right) {
        findings.add(
                Code.MISSING_COMMAND,
                right.severity(),
                report.node(),
                "The server has no command " + spoken(right),
                right.consequence(),
                "Offer the command by its own name, if the provider lets you");
    }

    private static String spoken(Right right) {
        return right.name().replace('|', ' ').toUpperCase(Locale.ROOT);
    }
}
