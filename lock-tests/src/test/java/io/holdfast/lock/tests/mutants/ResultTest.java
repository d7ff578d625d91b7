package io.holdfast.lock.tests.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.mutants.Result.Fate;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Only a killer that worked and that says what it saw has killed. */
class ResultTest {
    private static final Mutant SIMULATED = mutant(new Killer.Simulated("standard", 10));
    private static final Mutant TESTED = mutant(new Killer.Tested("LeaseTest", ""));

    @Test
    void aFailingSeedKills() {
        Result result = Result.read(SIMULATED, 1, "warming up\nseed 17: ME: two holds\nreplay: ...\n", 0);
        assertThat(result.isKilled()).isTrue();
        assertThat(result.seed()).isEqualTo("17");
        assertThat(result.seen()).isEqualTo("ME: two holds");
    }

    @Test
    void aFailingTestKills() {
        Result result = Result.read(TESTED, 1, "failed: holds(): expected 1\nfailed: also(): expected 2\n", 0);
        assertThat(result.isKilled()).isTrue();
        assertThat(result.seed()).isEmpty();
        assertThat(result.seen()).isEqualTo("holds(): expected 1");
    }

    @Test
    void whatPassesLetsItSurvive() {
        assertThat(Result.read(SIMULATED, 0, "", 0).fate()).isEqualTo(Fate.SURVIVED);
    }

    @Test
    void aKillerThatBreaksHasDecidedNothing() {
        assertThat(Result.read(SIMULATED, 1, "Error: no main class", 0).fate()).isEqualTo(Fate.UNDECIDED);
        assertThat(Result.read(TESTED, 3, "0 of 1 tests ran", 0).fate()).isEqualTo(Fate.UNDECIDED);
        assertThat(Result.read(TESTED, 124, "", 0).fate()).isEqualTo(Fate.UNDECIDED);
    }

    @Test
    void aMutantThatDoesNotFitItsNeighboursIsNotKilled() {
        String said = "seed 3: ERR: java.lang.IllegalAccessError: class A tried to access method B\n";
        assertThat(Result.read(SIMULATED, 1, said, 0).fate()).isEqualTo(Fate.UNDECIDED);
        assertThat(Result.read(TESTED, 1, said.replace("seed 3", "failed"), 0).fate())
                .isEqualTo(Fate.UNDECIDED);
    }

    private static Mutant mutant(Killer killer) {
        return new Mutant("07-so", 7, "this", "harm", killer, "", new Patch(Map.of()));
    }
}
