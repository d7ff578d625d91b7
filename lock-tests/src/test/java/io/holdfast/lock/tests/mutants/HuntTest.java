package io.holdfast.lock.tests.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.mutants.Result.Fate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Killers kill what is broken, and nothing else. */
@Tag("proof")
class HuntTest {
    private static final String LEASE = "lock-core/src/main/java/io/holdfast/lock/engine/hold/LeaseTerm.java";
    private static final Hunk NO_MARGIN = new Hunk(
            1,
            List.of(
                    "        return TimeUnit.MILLISECONDS.toNanos(leaseMillis) / MARGIN_PART + TimeUnit.MILLISECONDS.toNanos(2);"),
            List.of("        return 0;"));

    @TempDir
    private Path directory;

    @Test
    void anEmptyMutantSurvives() throws Exception {
        Result result = hunt(new Killer.Tested("LeaseTest", ""), Map.of());
        assertThat(result.fate()).as(result.seen()).isEqualTo(Fate.SURVIVED);
    }

    @Test
    void aBrokenRuleIsNoticed() throws Exception {
        Result result = hunt(new Killer.Tested("LeaseTest", ""), Map.of(LEASE, List.of(NO_MARGIN)));
        assertThat(result.fate()).as(result.seen()).isEqualTo(Fate.KILLED);
        assertThat(result.seen()).startsWith("aHundredthOfTheLeaseAndTwoMillisecondsAreNotReliedOn()");
    }

    @Test
    void aTestThatLooksElsewhereLetsItSurvive() throws Exception {
        Result result =
                hunt(new Killer.Tested("LeaseTest", "aNamedLeaseIsNotRenewed"), Map.of(LEASE, List.of(NO_MARGIN)));
        assertThat(result.fate()).as(result.seen()).isEqualTo(Fate.SURVIVED);
    }

    @Test
    void aTestThatIsNotThereDecidesNothing() throws Exception {
        Result result = hunt(new Killer.Tested("LeaseTest", "noSuchTest"), Map.of());
        assertThat(result.fate()).as(result.seen()).isEqualTo(Fate.UNDECIDED);
    }

    private Result hunt(Killer killer, Map<String, List<Hunk>> changes) throws Exception {
        Mutant mutant = new Mutant("14-so", 14, "this", "harm", killer, "", new Patch(changes));
        return new Hunt(Project.find(Path.of("")), directory).hunt(mutant);
    }
}
