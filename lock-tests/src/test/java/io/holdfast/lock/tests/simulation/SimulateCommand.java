package io.holdfast.lock.tests.simulation;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs seeds by hand; see {@code lock-tests/simulate --help}. */
@Command(
        name = "lock-tests/simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header =
                "Runs the engine in simulated worlds: without options fresh seeds of all workloads, for two minutes in all.",
        footer = {
            "",
            "A seed that fails is printed with the checker that found it: ME exclusion, FM tokens, HC counts, "
                    + "NLW wake-up, LV liveness, ERR outcomes, ORD queues, LIN the order of all calls. "
                    + "docs/builders/simulation.md says more."
        })
public final class SimulateCommand implements Callable<Integer> {

    private static final int TAIL_LINES = 60;
    private static final long FIRST_FRESH_SEEDS = 1_000_000_000L;

    private final boolean terminal = System.console() != null;

    private Workload workload = Workload.STANDARD;
    private List<Workload> named = List.of(Workload.values());

    @Option(names = "--minutes", description = "fresh seeds for so long, of all workloads or of the named one")
    private double minutes = 2;

    @Option(names = "--from", paramLabel = "SEED", description = "the first of --count seeds")
    private @Nullable Long from;

    @Option(names = "--count", paramLabel = "N", description = "how many seeds: ${DEFAULT-VALUE} unless said otherwise")
    private long count = 1_000;

    @Option(
            names = "--digest",
            description =
                    "one number for all that happens in these seeds, of each workload or of the named one: the same "
                            + "before and after a change that only moves code")
    private boolean digest;

    @Option(names = "--stop-at-first", description = "end with the lowest seed that fails")
    private boolean stopAtFirst;

    @Option(names = "--seed", description = "one seed, with a trace of all that happens in it")
    private @Nullable Long seed;

    @Option(names = "--threads", paramLabel = "N", description = "how many seeds at a time")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--tolerate",
            paramLabel = "N",
            description = "end well if no more than so many fresh seeds fail; they are printed all the same")
    private int tolerated;

    private SimulateCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SimulateCommand())
                .registerConverter(Workload.class, Workload::of)
                .execute(arguments));
    }

    @Option(names = "--workload", paramLabel = "NAME", description = "one of ${COMPLETION-CANDIDATES}")
    void only(Workload wanted) {
        workload = wanted;
        named = List.of(wanted);
    }

    @Override
    public Integer call() throws InterruptedException {
        return run() ? 0 : 1;
    }

    private boolean run() throws InterruptedException {
        Long one = seed;
        if (one != null) {
            return replay(one);
        }
        Long first = from;
        if (digest) {
            TraceDigest.print(named, first == null ? 1 : first, count);
            return true;
        }
        return first == null ? tryFresh() : tryWorlds(workload, first, 0) <= tolerated;
    }

    /** All workloads that are named, each for its share of the time. */
    private boolean tryFresh() throws InterruptedException {
        int shares = named.stream().mapToInt(Workload::share).sum();
        int failed = 0;
        for (Workload each : named) {
            failed += tryWorlds(each, null, minutes * each.share() / shares);
            if (stopAtFirst && failed > 0) {
                break;
            }
        }
        if (failed > 0) {
            System.out.println(failed + " failed, and up to " + tolerated + " are tolerated: look into them");
        }
        return failed <= tolerated;
    }

    /**
     * Runs worlds of one workload.
     *
     * @param first their first seed; null for fresh ones
     * @return how many have failed
     */
    private int tryWorlds(Workload workload, @Nullable Long first, double minutes) throws InterruptedException {
        long start = System.nanoTime();
        // Fresh seeds are those that hardly anybody has tried before.
        long freshFrom = FIRST_FRESH_SEEDS
                + Math.floorMod(Chance.mix(start ^ ProcessHandle.current().pid()), 1L << 40);
        Campaign campaign = first == null
                ? new Campaign(workload, freshFrom, Long.MAX_VALUE / 2, stopAtFirst)
                : new Campaign(workload, first, count, stopAtFirst);
        long limitNanos = first == null ? (long) (minutes * TimeUnit.MINUTES.toNanos(1)) : Long.MAX_VALUE;
        Thread progress = new Thread(() -> tellProgress(workload, campaign, start), "progress");
        progress.setDaemon(true);
        progress.start();
        campaign.run(
                threads,
                () -> System.nanoTime() - start >= limitNanos
                        || (stopAtFirst && first == null && !campaign.failures().isEmpty()));
        progress.interrupt();
        progress.join();
        return report(workload, campaign, start);
    }

    // --- one seed ---

    private boolean replay(long one) {
        Trace trace = new Trace();
        Verdict verdict = Simulation.run(workload, one, trace);
        System.out.print(trace.text(Integer.MAX_VALUE));
        System.out.printf("%n%s%nevent hash %016x%n", verdict.line(), verdict.eventHash());
        return verdict.passed();
    }

    // --- many seeds ---

    private void tellProgress(Workload workload, Campaign campaign, long start) {
        int told = 0;
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(terminal ? 1 : 10);
                List<Verdict> failures = campaign.failures();
                String line = progress(workload, campaign.tally(), start) + ", " + failures.size() + " failed";
                System.err.print(terminal ? "\r\u001b[K" + line : line + "\n");
                for (; told < failures.size(); told++) {
                    System.err.print(
                            (terminal ? "\r\u001b[K" : "") + failures.get(told).line() + "\n");
                }
            }
        } catch (InterruptedException done) {
            if (terminal) {
                System.err.print("\r\u001b[K");
            }
        }
    }

    private static String progress(Workload workload, Tally tally, long start) {
        return String.format(
                "%s: %,d seeds, %,.0f a minute, %,d events, %,d faults, %,d grants, %,d losses",
                workload.title(),
                tally.seeds(),
                perMinute(tally, start),
                tally.events(),
                tally.faults(),
                tally.grants(),
                tally.losses());
    }

    private static double perMinute(Tally tally, long start) {
        return tally.seeds() * (double) TimeUnit.MINUTES.toNanos(1) / Math.max(1, System.nanoTime() - start);
    }

    private int report(Workload workload, Campaign campaign, long start) {
        Tally tally = campaign.tally();
        System.out.println(progress(workload, tally, start));
        if (named.size() == 1) {
            reportFaults(tally);
        }
        if (tally.givenUp() > 0) {
            System.out.printf(
                    "%,d of %,d histories had too many possible orders to be judged%n%n",
                    tally.givenUp(), tally.seeds() * workload.climate.locks());
        }
        List<Verdict> failures = campaign.failures();
        if (failures.isEmpty()) {
            System.out.println("no promise was broken");
            return 0;
        }
        Verdict first = failures.get(0);
        Trace trace = new Trace();
        Simulation.run(workload, first.seed(), trace);
        System.out.println("the end of what happened in seed " + first.seed() + ":");
        System.out.println(trace.text(TAIL_LINES));
        for (Verdict failure : failures) {
            System.out.println(failure.line());
        }
        System.out.println(
                "replay with: lock-tests/simulate --workload " + workload.title() + " --seed " + first.seed());
        return failures.size();
    }

    private static void reportFaults(Tally tally) {
        System.out.println();
        System.out.printf("%-22s %-8s %12s%n", "fault", "breaks", "injected");
        for (FaultKind kind : FaultKind.values()) {
            boolean harmless = kind.breaks == FaultKind.Assumption.NONE;
            System.out.printf("%-22s %-8s %,12d%n", kind.title(), harmless ? "" : kind.breaks, tally.faults(kind));
        }
        System.out.println();
    }
}
