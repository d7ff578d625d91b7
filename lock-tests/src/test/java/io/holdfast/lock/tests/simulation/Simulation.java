package io.holdfast.lock.tests.simulation;

import org.jspecify.annotations.Nullable;

/** One seed, one run: the way in for tests, commands and other suites. */
public final class Simulation {

    private Simulation() {}

    /** Runs a seed of a workload. */
    public static Verdict run(String workload, long seed) {
        return run(Workload.of(workload), seed, null);
    }

    /** Ends the threads that are kept for the runs of the calling thread, which runs no more. */
    public static void endThreads() {
        ThreadPool.dismiss();
    }

    /** Runs a seed of a workload and writes down what happens. */
    static Verdict run(Workload workload, long seed, @Nullable Trace trace) {
        return switch (workload.scene) {
            case LOCKS -> new Run(workload, seed, trace).verdict();
            case MOVES -> new ClusterRun(workload, seed, trace).verdict();
            case GUARD -> new GuardedRun(workload, seed, trace).verdict();
            default -> new FamilyRun(workload, seed, trace).verdict();
        };
    }
}
