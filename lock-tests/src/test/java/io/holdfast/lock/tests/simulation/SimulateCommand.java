package io.holdfast.lock.tests.simulation;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs seeds by hand; see {@code lock-tests/simulate --help}. */
public final class SimulateCommand {

    private static final String HELP =
            """
            usage: lock-tests/simulate [--workload NAME] [--minutes N | --from SEED --count N | --seed SEED]

              without arguments   fresh seeds of all workloads, for two minutes in all
              --workload NAME     %s
              --minutes N         fresh seeds for so long, of all workloads or of the named one
              --from S --count N  these seeds
              --digest            one number for all that happens in these seeds, of each workload or of the named one:
                                  the same before and after a change that only moves code
              --stop-at-first     end with the lowest seed that fails
              --seed S            one seed, with a trace of all that happens in it
              --threads N         how many seeds at a time; by default, one for each processor
              --tolerate N        end well if no more than so many fresh seeds fail; they are printed all the same

            A seed that fails is printed with the checker that found it: ME exclusion, FM tokens, HC counts,
            NLW wake-up, LV liveness, ERR outcomes, ORD queues, LIN the order of all calls. docs/builders/simulation.md says more.
            """
                    .formatted(String.join(
                            ",\n                      ",
                            Stream.of(Workload.values()).map(Workload::title).toList()));

    private static final int TAIL_LINES = 60;
    private static final long FIRST_FRESH_SEEDS = 1_000_000_000L;

    private final boolean terminal = System.console() != null;

    private Workload workload = Workload.STANDARD;
    private List<Workload> named = List.of(Workload.values());
    private boolean digest;
    private double minutes = 2;
    private @Nullable Long from;
    private long count = 1_000;
    private @Nullable Long seed;
    private boolean stopAtFirst;
    private int tolerated;
    private int threads = Runtime.getRuntime().availableProcessors();

    private SimulateCommand() {}

    public static void main(String[] arguments) throws InterruptedException {
        SimulateCommand command = new SimulateCommand();
        try {
            if (!command.read(arguments)) {
                System.out.print(HELP);
                return;
            }
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.err.print(HELP);
            System.exit(2);
        }
        System.exit(command.run() ? 0 : 1);
    }

    private boolean read(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            switch (option) {
                case "--help", "-h" -> {
                    return false;
                }
                case "--stop-at-first" -> stopAtFirst = true;
                case "--workload" -> {
                    workload = Workload.of(value(arguments, ++i, option));
                    named = List.of(workload);
                }
                case "--digest" -> digest = true;
                case "--minutes" -> minutes = Double.parseDouble(value(arguments, ++i, option));
                case "--from" -> from = Long.parseLong(value(arguments, ++i, option));
                case "--count" -> count = Long.parseLong(value(arguments, ++i, option));
                case "--seed" -> seed = Long.parseLong(value(arguments, ++i, option));
                case "--tolerate" -> tolerated = Integer.parseInt(value(arguments, ++i, option));
                case "--threads" -> threads = Integer.parseInt(value(arguments, ++i, option));
                default -> throw new IllegalArgumentException(option + ": no such option");
            }
        }
        return true;
    }

    private static String value(String[] arguments, int place, String option) {
        if (place >= arguments.length) {
            throw new IllegalArgumentException(option + ": a value is missing");
        }
        return arguments[place];
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
