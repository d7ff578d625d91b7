package io.holdfast.lock.tests.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A mutant says what it breaks and how it has to be caught. */
class MutantTest {

    @Test
    void hasAHeader() throws PatchRefused {
        Mutant mutant = Mutant.parse(
                "07-so",
                List.of(
                        "# rule: 7",
                        "# breaks: this: and that",
                        "# expect: harm",
                        "# killed by: simulation standard within 300 seeds"));
        assertThat(mutant.rule()).isEqualTo(7);
        assertThat(mutant.breaks()).isEqualTo("this: and that");
        assertThat(mutant.killer()).isEqualTo(new Killer.Simulated("standard", 300));
        assertThat(mutant.patch().files()).isEmpty();
    }

    @Test
    void saysWhyTheSimulatorCannotShowItIfATestHasTo() throws PatchRefused {
        List<String> lines = new ArrayList<>(List.of("# rule: 7", "# breaks: a", "# expect: b"));
        lines.add("# killed by: test LeaseTest");
        assertThatThrownBy(() -> Mutant.parse("07-so", lines))
                .isInstanceOf(PatchRefused.class)
                .hasMessageContaining("not in the simulator");
        lines.add("# not in the simulator: threads never die there");
        assertThat(Mutant.parse("07-so", lines).notSimulated()).isEqualTo("threads never die there");
        lines.set(3, "# killed by: simulation standard within 300 seeds");
        assertThatThrownBy(() -> Mutant.parse("07-so", lines))
                .isInstanceOf(PatchRefused.class)
                .hasMessageContaining("not in the simulator");
    }

    @Test
    void isKilledByATestOrByOneOfItsMethods() throws PatchRefused {
        assertThat(Killer.parse("test faults.PipelineTest")).isEqualTo(new Killer.Tested("faults.PipelineTest", ""));
        assertThat(Killer.parse("test LeaseTest#holds")).isEqualTo(new Killer.Tested("LeaseTest", "holds"));
    }

    @Test
    void mustSayHowItIsCaught() {
        assertThatThrownBy(() -> Mutant.parse("07-so", List.of("# rule: 7", "# breaks: this", "# expect: harm")))
                .isInstanceOf(PatchRefused.class)
                .hasMessage("header: no '# killed by:'");
        assertThatThrownBy(() -> Killer.parse("luck"))
                .isInstanceOf(PatchRefused.class)
                .hasMessageStartingWith("killed by: luck (expected: ");
    }

    @Test
    void hasTheNumberOfItsRuleInItsName() {
        List<String> lines = List.of("# rule: 7", "# breaks: a", "# expect: b", "# killed by: test LeaseTest");
        assertThatThrownBy(() -> Mutant.parse("08-so", lines))
                .isInstanceOf(PatchRefused.class)
                .hasMessage("header: rule 7 (expected: that of the name)");
    }
}
