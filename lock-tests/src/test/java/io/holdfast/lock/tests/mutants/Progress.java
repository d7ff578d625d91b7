package io.holdfast.lock.tests.mutants;

import java.util.Locale;

/** Says on standard error how far a hunt has come. */
final class Progress {
    private final int all;
    private int judged;

    Progress(int all) {
        this.all = all;
    }

    synchronized void healthy(Result result) {
        boolean passes = result.fate() == Result.Fate.SURVIVED;
        System.err.printf(
                Locale.ROOT,
                "%s %s (%.1f s)%s%n",
                result.mutant().name(),
                passes ? "passes" : Ink.RED.on("DOES NOT PASS"),
                result.seconds(),
                passes ? "" : ": " + (result.seed().isEmpty() ? "" : "seed " + result.seed() + ": ") + result.seen());
    }

    synchronized void judged(Result result) {
        judged++;
        String end =
                switch (result.fate()) {
                    case KILLED ->
                        Ink.GREEN.on("killed") + (result.seed().isEmpty() ? "" : " by seed " + result.seed());
                    case SURVIVED -> Ink.RED.on("SURVIVES");
                    case UNDECIDED -> Ink.RED.on("UNDECIDED");
                };
        System.err.printf(
                Locale.ROOT,
                "[%2d/%d] %-44s %s (%.1f s)%n",
                judged,
                all,
                result.mutant().name(),
                end,
                result.seconds());
    }
}
