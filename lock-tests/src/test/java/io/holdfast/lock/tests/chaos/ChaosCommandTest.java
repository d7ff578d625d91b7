package io.holdfast.lock.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command itself, with the two quickest rows; the other rows are run by hand and in continuous integration. */
class ChaosCommandTest {

    @TempDir
    Path out;

    @Test
    @Tag("proof")
    void playsRowsAndWritesAPageThatNeedsNothingElse() throws Exception {
        assertThat(ChaosCommand.run(Choices.parse("--short", "--only", "9,46", "--seed", "1", "--out", out.toString())))
                .isTrue();
        assertThat(Files.readString(out.resolve("chaos-report.html")))
                .contains(
                        "id=\"row-9\"", "id=\"row-46\"", "late release: told lost", "class=\"hold\"", "class=\"band\"")
                .doesNotContain("http:", "https:", "<script", "<link", "src=");
    }

    @Test
    void aRowThatIsNotThereIsTold() {
        assertThatThrownBy(() -> Choices.parse("--only", "99")).hasMessageContaining("99: no such row");
    }

    @Test
    void aRowMayStandForItsParts() {
        assertThat(Choices.parse("--only", "45,2").rows())
                .extracting(Row::name)
                .containsExactly("2", "45a", "45b", "45c", "45d", "45e");
    }

    /** A row without tests is played, and so is every row that the page says a run of. */
    @Test
    void everyRowOfThePageIsPlayedOrTested() {
        List<FaultPage.Line> lines = FaultPage.find(Path.of("")).lines();
        assertThat(lines).extracting(FaultPage.Line::name).doesNotHaveDuplicates();
        List<String> played = Matrix.rows().stream().map(Row::name).toList();
        assertThat(lines.stream().filter(line -> !line.lastRun().isEmpty()).map(FaultPage.Line::name))
                .as("rows with a last run; lock-tests/chaos --page writes it")
                .containsExactlyInAnyOrderElementsOf(played);
        assertThat(lines.stream().filter(line -> line.tests().isEmpty()).map(FaultPage.Line::name))
                .as("rows without a test")
                .isSubsetOf(played);
    }

    @Test
    void aRunIsWrittenIntoTheLinesOfItsRows() throws Exception {
        Path copy = out.resolve("faults.md");
        Files.copy(FaultPage.find(Path.of("")).file(), copy);
        FaultPage page = new FaultPage(copy);
        List<FaultPage.Line> before = page.lines();
        RowResult result = new RowResult(
                Matrix.row("9"),
                RowResult.Verdict.PASSED,
                3.4,
                1_280,
                2,
                List.of("seen a|b"),
                List.of(),
                List.of(),
                List.of());
        page.update(new Run(Choices.parse("--only", "9", "--seed", "77"), List.of(result), 180));
        assertThat(page.line("9").lastRun()).isEqualTo("passed, 3 s, 1,280 grants, 2 losses told");
        assertThat(page.lines()).usingElementComparatorIgnoringFields("lastRun").isEqualTo(before);
        assertThat(page.lines().stream().filter(line -> !before.contains(line))).hasSize(1);
        assertThat(Files.readString(copy))
                .contains(
                        "The last run, of row 9: 1 passed, 0 failed, 0 skipped in 3 minutes, 1,280 grants, 2 losses told; seed 77.");
    }

    /** Rows 10 to 13 are about replicas; 47, 48 and 50 are played by tests only. */
    @Test
    void everyRowOfTheMatrixIsThere() {
        assertThat(Matrix.rows().stream().map(Row::number).distinct().toList())
                .isEqualTo(IntStream.rangeClosed(1, 51)
                        .filter(number -> number < 10 || number > 13)
                        .filter(number -> number != 47 && number != 48 && number != 50)
                        .boxed()
                        .toList());
    }
}
