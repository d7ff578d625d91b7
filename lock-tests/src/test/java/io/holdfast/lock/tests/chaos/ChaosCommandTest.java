package io.holdfast.lock.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command itself, with the two quickest rows; the other rows are run by hand and in continuous integration. */
class ChaosCommandTest {

    @TempDir
    Path out;

    @Test
    void playsRowsAndWritesAPageThatNeedsNothingElse() throws Exception {
        assertThat(ChaosCommand.run(Choices.parse("--short", "--only", "9,46", "--seed", "1", "--out", out.toString())))
                .isTrue();
        assertThat(Files.readString(out.resolve("chaos-report.html")))
                .contains(
                        "id=\"row-9\"", "id=\"row-46\"", "late release: told lost", "class=\"hold\"", "class=\"band\"")
                .doesNotContain("http:", "https:", "<script", "<link", "src=");
    }

    @ParameterizedTest
    @CsvSource({
        "--only 99, --only 99: no such row",
        "--seed x, '--seed x (expected: a number)'",
        "--out, a value is missing",
        "--shorter, --shorter: unknown (try --help)"
    })
    void mistakesAreTold(String arguments, String message) {
        assertThatThrownBy(() -> Choices.parse(arguments.split(" "))).hasMessageContaining(message);
    }

    @Test
    void aRowMayStandForItsParts() {
        assertThat(Choices.parse("--only", "45,2").rows())
                .extracting(Row::name)
                .containsExactly("2", "45a", "45b", "45c", "45d", "45e");
    }

    @Test
    void thePageShowsEveryRow() throws Exception {
        assertThat(ChaosPage.find(Path.of("")).rows())
                .as("docs/chaos.md; lock-tests/chaos --page writes it")
                .isEqualTo(Matrix.rows().stream().map(Row::name).toList());
    }

    /** Rows 10 to 19 and 47 are about deployments. */
    @Test
    void everyRowOfTheMatrixIsThere() {
        assertThat(Matrix.rows().stream().map(Row::number).distinct().toList())
                .isEqualTo(IntStream.rangeClosed(1, 46)
                        .filter(number -> number < 10 || number > 19)
                        .boxed()
                        .toList());
    }
}
