package io.holdfast.lock.tests.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hunts mutants by hand; see {@code lock-tests/mutants --help}. */
@Command(
        name = "lock-tests/mutants",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Hunts mutants: without options all of them, in half an hour, and writes killed.txt.",
        footer = {
            "",
            "A mutant is a patch in lock-tests/src/test/mutants; killed.txt there has the first seed of each that was "
                    + "killed. The exit code is 1 if one survives."
        })
final class MutantsCommand implements Callable<Integer> {
    private final Project project = Project.find(Path.of(""));
    private final List<String> only = new ArrayList<>();

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "so many at a time: ${DEFAULT-VALUE} unless said otherwise")
    private int atOnce = 2;

    @Option(names = "--missing", description = "hunt those that have no line yet, and write it")
    private boolean missing;

    @Option(names = "--list", description = "print the mutants as a table, and hunt nothing")
    private boolean list;

    private MutantsCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new MutantsCommand()).execute(arguments));
    }

    @Option(
            names = "--only",
            paramLabel = "NAME",
            description = "hunt those whose names begin so, and write their lines")
    void only(List<String> names) {
        only.clear();
        names.forEach(wanted -> only.add(wanted.matches("\\d{2,}") ? wanted + '-' : wanted));
    }

    @Override
    public Integer call() throws Exception {
        return run() ? 0 : 1;
    }

    private boolean run() throws Exception {
        List<Mutant> all = Mutant.all(project.root());
        KilledMutants killed = new KilledMutants(project);
        Map<String, String> earlier = killed.firstSeeds();
        List<Mutant> mutants = all.stream()
                .filter(mutant -> only.isEmpty() || only.stream().anyMatch(mutant.name()::startsWith))
                .filter(mutant -> !missing || !earlier.containsKey(mutant.name()))
                .toList();
        if (mutants.isEmpty()) {
            System.err.println(missing ? "no mutant is without a line" : "no mutant's name begins with any of " + only);
            return missing;
        }
        if (list) {
            System.out.print(MutantTable.of(mutants, earlier));
            return true;
        }
        Path directory = Files.createTempDirectory("mutants");
        try {
            return hunt(mutants, killed, directory);
        } finally {
            remove(directory);
        }
    }

    private boolean hunt(List<Mutant> mutants, KilledMutants killed, Path directory) throws Exception {
        Progress progress = new Progress(mutants.size());
        Hunt hunt = new Hunt(project, directory);
        if (!isHealthy(new Baseline(mutants), hunt, progress)) {
            return false;
        }
        List<Result> results = all(mutants, hunt, progress::judged);
        System.out.print("\n" + MutantTable.of(results));
        results.stream().filter(result -> !result.isKilled()).forEach(MutantsCommand::explain);
        boolean allKilled = results.stream().allMatch(Result::isKilled);
        if (allKilled) {
            killed.add(results);
        }
        return allKilled;
    }

    private boolean isHealthy(Baseline baseline, Hunt hunt, Progress progress) throws Exception {
        List<Result> results = new ArrayList<>(all(baseline.simulated(), hunt, progress::healthy));
        List<Killer.Tested> tests = baseline.tests();
        if (!tests.isEmpty()) {
            results.add(tested(tests, hunt, progress));
        }
        return results.stream().allMatch(result -> result.fate() == Result.Fate.SURVIVED);
    }

    /** Leases are short in tests with real servers: on a busy machine one may run out, and then they have another try. */
    private static Result tested(List<Killer.Tested> tests, Hunt hunt, Progress progress) throws Exception {
        Mutant healthy = Baseline.healthy(tests.get(0));
        Result first = hunt.test(healthy, tests);
        progress.healthy(first);
        if (first.fate() == Result.Fate.SURVIVED) {
            return first;
        }
        Result second = hunt.test(healthy, tests);
        progress.healthy(second);
        return second;
    }

    private static void explain(Result result) {
        String what = result.fate() == Result.Fate.SURVIVED ? "survives " : "was not decided: ";
        System.out.println("\n" + result.mutant().name() + " " + what + result.seen() + "\n  expected: "
                + result.mutant().expect());
    }

    /** What a list of mutants came to, in the same order. */
    private List<Result> all(List<Mutant> mutants, Hunt hunt, Consumer<Result> told)
            throws InterruptedException, ExecutionException {
        ExecutorService hunters = Executors.newFixedThreadPool(atOnce);
        try {
            List<Future<Result>> open = new ArrayList<>();
            for (Mutant mutant : mutants) {
                open.add(hunters.submit(() -> {
                    Result result = hunt.hunt(mutant);
                    told.accept(result);
                    return result;
                }));
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> future : open) {
                results.add(future.get());
            }
            return results;
        } finally {
            hunters.shutdownNow();
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException undeletable) {
                    throw new UncheckedIOException(undeletable);
                }
            });
        }
    }
}
