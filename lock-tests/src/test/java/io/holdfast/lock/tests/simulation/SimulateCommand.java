package io.holdfast.lock.tests.simulation;

/** Runs seeds by hand; see {@code lock-tests/simulate --help}. */
public final class SimulateCommand {

    private SimulateCommand() {}

    public static void main(String[] arguments) {
        String workload = "standard";
        long from = 1;
        long count = 1_000;
        boolean stop = false;
        Long seed = null;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--workload" -> workload = arguments[++i];
                case "--from" -> from = Long.parseLong(arguments[++i]);
                case "--count" -> count = Long.parseLong(arguments[++i]);
                case "--seed" -> seed = Long.parseLong(arguments[++i]);
                case "--stop-at-first" -> stop = true;
                default -> throw new IllegalArgumentException(arguments[i]);
            }
        }
        if (seed != null) {
            Trace trace = new Trace();
            Verdict verdict = Simulation.run(Workload.of(workload), seed, trace);
            System.out.print(trace.text());
            System.out.println(verdict.line());
            System.exit(verdict.passed() ? 0 : 1);
        }
        int failed = 0;
        Tally tally = new Tally();
        long start = System.nanoTime();
        for (long each = from; each < from + count; each++) {
            Verdict verdict = Simulation.run(workload, each);
            tally.add(verdict.tally());
            if (!verdict.passed()) {
                failed++;
                System.out.println(verdict.line());
                if (stop) {
                    break;
                }
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%d seeds, %.0f a minute, %d events, %d grants, %d losses, %d faults, %d failed%n",
                tally.seeds(),
                tally.seeds() / seconds * 60,
                tally.events(),
                tally.grants(),
                tally.losses(),
                tally.faults(),
                failed);
        System.exit(failed > 0 ? 1 : 0);
    }
}
