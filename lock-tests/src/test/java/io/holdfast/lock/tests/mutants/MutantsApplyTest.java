package io.holdfast.lock.tests.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mutant still fits the code; one that does not has to be made anew, or it proves nothing any more. */
@Tag("proof")
@Tag("once")
class MutantsApplyTest {
    private static final Project PROJECT = Project.find(Path.of(""));
    /** How a rule of the protocol begins: its number in bold. */
    private static final Pattern RULE = Pattern.compile("^\\*\\*(\\d+)\\. ", Pattern.MULTILINE);

    private static final String ENGINE = "lock-core/src/main/java/io/holdfast/lock/engine/";

    @TempDir
    private Path directory;

    static Stream<Mutant> mutants() throws IOException, PatchRefused {
        return Mutant.all(PROJECT.root()).stream();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void appliesAndCompiles(Mutant mutant) {
        assertThat(mutant.patch().files())
                .as("files that " + mutant.name() + " changes")
                .isNotEmpty();
        assertThatCode(() -> new Workshop(PROJECT, directory).make(mutant)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isCaughtByATestThatExists(Mutant mutant) {
        if (mutant.killer() instanceof Killer.Tested tested) {
            assertThatCode(() -> PROJECT.testClass(tested.type())).doesNotThrowAnyException();
        }
    }

    @Test
    void everyRuleIsBroken() throws IOException, PatchRefused {
        String protocol = Files.readString(PROJECT.root().resolve("docs/builders/rules.md"));
        List<Integer> rules = RULE.matcher(protocol)
                .results()
                .map(rule -> Integer.valueOf(rule.group(1)))
                .toList();
        assertThat(rules).hasSizeGreaterThan(38).doesNotHaveDuplicates();
        assertThat(mutants().map(Mutant::rule).distinct()).containsExactlyInAnyOrderElementsOf(rules);
    }

    @Test
    void aPatchThatDoesNotApplyIsRefused() {
        Mutant mutant = changing(ENGINE + "Engine.java", new Hunk(1, List.of("not there"), List.of("never")));
        assertThatThrownBy(() -> new Workshop(PROJECT, directory).make(mutant))
                .isInstanceOf(PatchRefused.class)
                .hasMessageStartingWith("07-so does not apply any more: " + ENGINE
                        + "Engine.java: the lines at 1 are not there:\n  line 1: package io.holdfast.lock.engine;");
    }

    @Test
    void aPatchOfWhatIsGoneOrOfNoPublishedCodeIsRefused() {
        for (String path :
                List.of(ENGINE + "Motor.java", "lock-tests/pom.xml", ENGINE + "../../../../../../../pom.xml")) {
            Mutant mutant = changing(path, new Hunk(1, List.of("a"), List.of("b")));
            assertThatThrownBy(() -> new Workshop(PROJECT, directory).make(mutant))
                    .isInstanceOf(PatchRefused.class)
                    .hasMessageContaining(path + " is not there (expected: a published source or script)");
        }
    }

    @Test
    void aPatchThatDoesNotCompileIsRefused() {
        Mutant mutant = changing(
                ENGINE + "call/Done.java",
                new Hunk(1, List.of("package io.holdfast.lock.engine.call;"), List.of("package ;")));
        assertThatThrownBy(() -> new Workshop(PROJECT, directory).make(mutant))
                .isInstanceOf(PatchRefused.class)
                .hasMessageStartingWith("07-so does not compile any more:")
                .hasMessageContaining("Done.java:1: error");
    }

    private static Mutant changing(String path, Hunk hunk) {
        Patch patch = new Patch(Map.of(path, List.of(hunk)));
        return new Mutant("07-so", 7, "this", "harm", new Killer.Tested("LeaseTest", ""), "", patch);
    }
}
