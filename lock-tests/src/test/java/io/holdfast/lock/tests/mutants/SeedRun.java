package io.holdfast.lock.tests.mutants;

import io.holdfast.lock.tests.simulation.Simulation;
import io.holdfast.lock.tests.simulation.Verdict;
import java.io.PrintStream;
import java.util.List;

/** Runs seeds of a workload up to the first that fails; in a JVM or a class loader of its own, with a mutant in it. */
final class SeedRun {

    private SeedRun() {}

    /** The command that runs some seeds. */
    static List<String> program(String workload, long from, long count) {
        return List.of(SeedRun.class.getName(), workload, Long.toString(from), Long.toString(count));
    }

    public static void main(String[] arguments) {
        System.exit(run(System.out, arguments));
    }

    static int run(PrintStream out, String... arguments) {
        long from = Long.parseLong(arguments[1]);
        long count = Long.parseLong(arguments[2]);
        try {
            for (long seed = from; seed < from + count; seed++) {
                Verdict verdict = Simulation.run(arguments[0], seed);
                if (!verdict.passed()) {
                    out.println(verdict.line());
                    return Result.KILLED_CODE;
                }
            }
            return Result.SURVIVED_CODE;
        } finally {
            Simulation.endThreads();
        }
    }
}
