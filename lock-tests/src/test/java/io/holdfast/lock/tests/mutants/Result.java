package io.holdfast.lock.tests.mutants;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What became of a mutant.
 *
 * @param seed the first seed that kills it; empty for one that tests kill, or nothing does
 * @param seen what the killer said; for a survivor, what was tried
 */
record Result(Mutant mutant, Fate fate, String seed, String seen, double seconds) {

    enum Fate {
        KILLED,
        SURVIVED,
        /** The killer itself did not work. */
        UNDECIDED
    }

    /** How the exit codes of killers are read. */
    static final int SURVIVED_CODE = 0;

    static final int KILLED_CODE = 1;

    private static final Pattern SEED = Pattern.compile("^seed (-?\\d+): (.*)$", Pattern.MULTILINE);
    private static final Pattern TEST = Pattern.compile("^failed: (.*)$", Pattern.MULTILINE);

    /** A mutant that does not fit the classes around it is broken in another way than its patch says. */
    private static final Pattern MISFIT = Pattern.compile(
            "(IllegalAccess|NoSuchMethod|NoSuchField|AbstractMethod|IncompatibleClassChange|Verify|NoClassDefFound)Error");

    private static final int MOST_SEEN = 200;

    /** Reads what a killer has left. */
    static Result read(Mutant mutant, int code, String said, double seconds) {
        Matcher line = (mutant.killer() instanceof Killer.Simulated ? SEED : TEST).matcher(said);
        boolean told = line.find() && !MISFIT.matcher(line.group()).find();
        if (code == KILLED_CODE && told) {
            boolean simulated = mutant.killer() instanceof Killer.Simulated;
            return new Result(
                    mutant,
                    Fate.KILLED,
                    simulated ? line.group(1) : "",
                    shortened(line.group(simulated ? 2 : 1)),
                    seconds);
        }
        if (code == SURVIVED_CODE) {
            return new Result(mutant, Fate.SURVIVED, "", mutant.killer().toString(), seconds);
        }
        return new Result(
                mutant,
                Fate.UNDECIDED,
                "",
                "exit code " + code + ", and the end of what it said is:\n" + tail(said),
                seconds);
    }

    boolean isKilled() {
        return fate == Fate.KILLED;
    }

    private static String shortened(String text) {
        return text.length() <= MOST_SEEN ? text : text.substring(0, MOST_SEEN) + "...";
    }

    private static String tail(String said) {
        return said.substring(Math.max(0, said.length() - 2_000));
    }
}
