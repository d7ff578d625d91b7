package io.holdfast.lock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;

/** The command line. */
class CommandTest {

    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = HoldfastBenchmarks.commandLine();
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Tag("proof")
    @Test
    void measuresWhatWasChosenAndWritesEveryReport(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("run.json");
        Path page = directory.resolve("page.md");
        int code = run(
                "--quick",
                "--rounds",
                "1",
                "--only",
                "same-lock-2",
                "--out",
                directory.resolve("report").toString(),
                "--json",
                json.toString(),
                "--page",
                page.toString());
        assertThat(code).isZero();
        assertThat(Files.readString(directory.resolve("report/index.html"))).contains("same lock, 2 threads");
        assertThat(Files.readString(json)).contains("\"same-lock-2\"").contains("\"command line\"");
        assertThat(Files.readString(page)).contains("### same lock, 2 threads");
    }

    @Test
    void saysWhatIsWrong() {
        assertThat(run("--only", "no-such-*")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--only no-such-*: no such workload");
        assertThat(run("--rounds", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--rounds: 0 (expected: >= 1)");
    }

    @Test
    void listsTheWorkloadsAndExplainsItself() {
        assertThat(run("--list")).isZero();
        assertThat(run("parts", "--help")).isZero();
        assertThat(HoldfastBenchmarks.commandLine().getUsageMessage()).contains("--quick", "--only", "--json", "parts");
    }

    @Test
    @Tag("proof")
    void renewalsInClusterModeAreJudgedByTheirGoal() {
        List<String> small = List.of(
                "cluster", "--primaries", "1", "--locks", "300", "--lease", "3000", "--periods", "1", "--rounds", "1");
        assertThat(run(withGoal(small, "1000"))).isZero();
        assertThat(run(withGoal(small, "0.001"))).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        CommandLine cluster = HoldfastBenchmarks.commandLine().getSubcommands().get("cluster");
        assertThat(cluster.getUsageMessage()).contains("--goal", "Exit status:", "the goal is missed");
        assertThat(cluster.getCommandSpec().findOption("--goal").defaultValueString())
                .isEqualTo("2.0");
    }

    @ParameterizedTest
    @Tag("proof")
    @ValueSource(
            strings = {
                "cluster --locks 300 --lease 3000 --periods 1 --rounds 1",
                "cluster locks --threads 2 --millis 100 --rounds 1",
                "cluster move --locks 4 --open 400",
                "cluster failover --times 1 --node-timeout 1000"
            })
    void eachFigureOfAClusterIsJudgedByItsGoal(String command) {
        assertThat(run(withGoal(List.of(command.split(" ")), "60000"))).isZero();
    }

    private static String[] withGoal(List<String> command, String goal) {
        return Stream.concat(command.stream(), Stream.of("--goal", goal)).toArray(String[]::new);
    }

    @Test
    void aGoalIsMetByTheMedianOfTheRounds() {
        List<Double> alone = List.of(1.0, 1.0, 2.0);
        assertThat(new Comparison(alone, List.of(9.0, 2.0, 4.0)).isWithin(2)).isTrue();
        assertThat(new Comparison(alone, List.of(9.0, 2.01, 4.02)).isWithin(2)).isFalse();
        assertThat(new Comparison(List.of(0.0), List.of(0.0)).isWithin(2)).isFalse();
    }

    @Test
    void aCountIsThatOfEveryRound() {
        assertThat(new Comparison(List.of(2.0, 2.0), List.of(2.0, 2.0)).areAll(2))
                .isTrue();
        assertThat(new Comparison(List.of(2.0, 2.0), List.of(2.0, 2.01)).areAll(2))
                .isFalse();
        assertThat(new Comparison(List.of(2.01, 2.0), List.of(2.0, 2.0)).areAll(2))
                .isFalse();
    }

    @Test
    void theListOfPartsIsNotEmpty() {
        // It would be if the module named another annotation processor, and not JMH's.
        assertThat(BenchmarkList.defaultList()
                        .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of()))
                .extracting(entry -> entry.getUsername().replaceFirst(".*\\.(\\w+)Benchmark\\..*", "$1"))
                .contains("Codec", "CallQueue", "WaitQueue", "HoldRegistry", "Timer", "Engine");
    }
}
