package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.console.Table;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code parts}: the client's parts one by one, with JMH and its allocation profiler. */
@Command(
        name = "parts",
        mixinStandardHelpOptions = true,
        header = "Measure parts of the client one by one, with JMH.",
        description =
                "Time and bytes allocated per call: codec, queues, registry of holds, timers, the engine without a"
                        + " server.")
final class PartsCommand implements Callable<Integer> {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    @Parameters(paramLabel = "REGEX", description = "Only benchmarks whose name has this in it. Default: all")
    private List<String> patterns = List.of("io\\.holdfast\\.lock");

    @Option(names = "--quick", description = "Shorter: a look in about a minute and a half.")
    private boolean quick;

    @Override
    public Integer call() throws RunnerException {
        Screen screen = Screen.ofProcess();
        int seconds = quick ? 1 : 2;
        ChainedOptionsBuilder options = new OptionsBuilder()
                .forks(quick ? 1 : 3)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(seconds))
                .measurementIterations(quick ? 1 : 5)
                .measurementTime(TimeValue.seconds(seconds))
                .addProfiler(GCProfiler.class)
                .verbosity(quick ? VerboseMode.SILENT : VerboseMode.NORMAL)
                .jvmArgs("-Xms512m", "-Xmx512m");
        patterns.forEach(options::include);
        screen.live("measuring the parts, each in a JVM of its own");
        Collection<RunResult> results = new Runner(options.build()).run();
        screen.endLive();
        Table table = new Table(List.of("part", "parameters", "ns/op", "error", "B/op"));
        results.forEach(result -> table.row(row(result)));
        screen.print(table.lines().toArray(String[]::new));
        return CommandLine.ExitCode.OK;
    }

    private static List<String> row(RunResult result) {
        Result<?> time = result.getPrimaryResult();
        Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
        String[] names = result.getParams().getBenchmark().split("\\.", -1);
        String parameters = result.getParams().getParamsKeys().stream()
                .map(key -> key + "=" + result.getParams().getParam(key))
                .collect(Collectors.joining(" "));
        return List.of(
                names[names.length - 2].replace("Benchmark", "") + "." + names[names.length - 1],
                parameters,
                number(time.getScore()),
                Double.isNaN(time.getScoreError()) ? "" : number(time.getScoreError()),
                allocated == null ? "" : number(allocated.getScore()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }
}
