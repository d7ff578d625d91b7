package io.holdfast.lock.tests.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator still finds the mutants that it has to find: each is run with the first seed that found it. A change of
 * the engine or of the simulator may give the seeds other runs; then the mutant has to be found anew, with as many seeds
 * as it says, and {@code killed.txt} is out of date. The other mutants, and the search from the first seed on, are those of
 * {@code lock-tests/mutants}.
 */
@Tag("proof")
@Tag("once")
class MutantsTest {
    private static final Project PROJECT = Project.find(Path.of(""));
    private static final long NEVER_FOUND = 1;

    @TempDir
    private Path directory;

    static Stream<Mutant> simulated() throws IOException, PatchRefused {
        return Mutant.all(PROJECT.root()).stream().filter(mutant -> mutant.killer() instanceof Killer.Simulated);
    }

    @ParameterizedTest
    @MethodSource("simulated")
    void isFound(Mutant mutant, TestReporter reporter) throws Exception {
        Killer.Simulated killer = (Killer.Simulated) mutant.killer();
        Path classes = new Workshop(PROJECT, directory).make(mutant);
        Replay replay = new Replay(PROJECT);
        String first = new KilledMutants(PROJECT).firstSeeds().getOrDefault(mutant.name(), "");
        long seed = first.isEmpty() ? NEVER_FOUND : Long.parseLong(first);
        Result result = replay.run(mutant, classes, killer.workload(), seed, 1);
        if (!result.isKilled()) {
            result = replay.run(mutant, classes, killer.workload(), 1, killer.seeds());
            reporter.publishEntry(
                    mutant.name(),
                    "seed " + seed + " of killed.txt does not find it any more, but seed " + result.seed()
                            + "; run lock-tests/mutants");
        }
        assertThat(result.fate()).as(result.seen()).isEqualTo(Result.Fate.KILLED);
    }
}
