package io.holdfast.lock.benchmarks;

import io.holdfast.lock.benchmarks.console.Screen;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.benchmarks.report.HtmlReport;
import io.holdfast.lock.benchmarks.report.JsonReport;
import io.holdfast.lock.benchmarks.report.PageReport;
import io.holdfast.lock.benchmarks.report.TerminalReport;
import io.holdfast.lock.benchmarks.result.Environment;
import io.holdfast.lock.benchmarks.result.RunResult;
import io.holdfast.lock.benchmarks.result.WorkloadResult;
import io.holdfast.lock.benchmarks.workload.Bench;
import io.holdfast.lock.benchmarks.workload.Effort;
import io.holdfast.lock.benchmarks.workload.Workload;
import io.holdfast.lock.benchmarks.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code holdfast-benchmarks}. */
@Command(
        name = "holdfast-benchmarks",
        mixinStandardHelpOptions = true,
        version = "holdfast-benchmarks 0.1.0",
        subcommands = {PartsCommand.class, ClusterCommand.class},
        header = "Holdfast beside Redisson, Lettuce, Jedis and bare sockets, in one run.",
        description = {
            "Starts a server of its own, lets all peers take turns, and writes tables, a web page and, if wanted, JSON.",
            "A full run takes about half an hour. Figures are worth something on a machine that does nothing else."
        })
public final class HoldfastBenchmarks implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Fewer and shorter rounds: a look in less than three minutes.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            description = "Only workloads of this name; * and ? stand for other characters. May be repeated.")
    private List<String> only = List.of();

    @Option(names = "--list", description = "Tell the names of the workloads, and end.")
    private boolean list;

    @Option(names = "--rounds", paramLabel = "N", description = "How many turns each peer has in a workload.")
    private Optional<Integer> rounds = Optional.empty();

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            description = "default, nio or epoll: what the Netty-based peers use. Default: what each takes by itself.")
    private Transport transport = Transport.DEFAULT;

    @Option(names = "--out", paramLabel = "DIR", description = "Where the web page goes. Default: ${DEFAULT-VALUE}")
    private Path out = Path.of("report");

    @Option(names = "--json", paramLabel = "FILE", description = "Write every round of every peer as JSON, too.")
    private Optional<Path> json = Optional.empty();

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "Write the results into a Markdown page, in place of those that are there.")
    private Optional<Path> page = Optional.empty();

    private final List<String> failed = new ArrayList<>();

    private HoldfastBenchmarks() {}

    /** Exit code 0: measured, whatever came out; 1: something failed, or a goal of cluster's; 2: the command line is wrong. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        PrintWriter errors = new PrintWriter(System.err, true, Charset.defaultCharset());
        return new CommandLine(new HoldfastBenchmarks())
                .setErr(errors)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    LoggerFactory.getLogger(HoldfastBenchmarks.class).error("the command failed", failure);
                    errors.println(command.getCommandName() + ": " + describe(failure));
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    /** The messages of a failure and of what caused it. */
    private static String describe(Throwable failure) {
        return Stream.iterate(failure, part -> part != null, Throwable::getCause)
                .map(part -> part.getMessage() == null ? part.getClass().getSimpleName() : part.getMessage())
                .distinct()
                .collect(Collectors.joining(": "));
    }

    @Override
    public Integer call() throws IOException {
        Effort effort = effort();
        List<Workload> workloads = chosen(effort);
        Screen screen = Screen.ofProcess();
        TerminalReport report = new TerminalReport(screen);
        if (list) {
            Map<String, String> titles = new LinkedHashMap<>();
            workloads.forEach(workload ->
                    titles.put(workload.about().name(), workload.about().title()));
            report.printList(titles);
            return CommandLine.ExitCode.OK;
        }
        Files.createDirectories(out);
        Path log = out.resolve("benchmarks.log");
        Files.deleteIfExists(log);
        System.setProperty("holdfast.benchmarks.log", log.toString());
        RunResult run = measure(workloads, effort, screen, report);
        report.printEnd(run);
        write(run, screen);
        if (!failed.isEmpty()) {
            screen.print(screen.bad("Failed: " + String.join(", ", failed) + "; see " + log));
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    private void write(RunResult run, Screen screen) throws IOException {
        Path html = out.resolve("index.html");
        Files.writeString(html, new HtmlReport(run).toString());
        screen.print("", "The report: " + html.toAbsolutePath().normalize().toUri());
        if (json.isPresent()) {
            Files.writeString(json.get(), new JsonReport(run).toString());
            screen.print("JSON: " + json.get());
        }
        if (page.isPresent()) {
            String before = Files.exists(page.get()) ? Files.readString(page.get()) : "";
            Files.writeString(page.get(), new PageReport(run).into(before));
            screen.print("Page: " + page.get());
        }
    }

    private RunResult measure(List<Workload> workloads, Effort effort, Screen screen, TerminalReport report) {
        List<WorkloadResult> results = new ArrayList<>();
        try (Bench bench = new Bench(effort, transport)) {
            Environment environment = Surroundings.of(
                    bench.server(),
                    transport,
                    spec.commandLine().getParseResult().originalArgs());
            Run run = new Run(bench, new Progress(screen, workloads, effort));
            for (Workload workload : workloads) {
                try {
                    WorkloadResult result = run.measure(workload);
                    report.print(result);
                    results.add(result);
                } catch (RuntimeException failure) {
                    // What was measured before, and what can be measured after, is worth keeping.
                    failed.add(workload.about().name());
                    LoggerFactory.getLogger(HoldfastBenchmarks.class)
                            .error("{} failed", workload.about().name(), failure);
                    screen.endLive();
                    screen.print("", screen.bad(workload.about().name() + " failed: " + describe(failure)));
                }
            }
            return new RunResult(environment, results);
        }
    }

    private Effort effort() {
        Effort effort = quick ? Effort.quick() : Effort.full();
        try {
            return rounds.map(effort::withRounds).orElse(effort);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), "--" + wrong.getMessage());
        }
    }

    private List<Workload> chosen(Effort effort) {
        List<Workload> all = Workloads.all(effort);
        if (only.isEmpty()) {
            return all;
        }
        List<Workload> chosen = new ArrayList<>();
        for (String pattern : only) {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            List<Workload> found = all.stream()
                    .filter(workload -> matcher.matches(Path.of(workload.about().name())))
                    .filter(workload -> !chosen.contains(workload))
                    .toList();
            if (found.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "--only " + pattern + ": no such workload (see --list)");
            }
            chosen.addAll(found);
        }
        return all.stream().filter(chosen::contains).toList();
    }
}
