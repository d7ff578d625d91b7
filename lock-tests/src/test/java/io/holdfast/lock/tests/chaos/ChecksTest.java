package io.holdfast.lock.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tests.chaos.RowResult.Verdict;
import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each check can fail: what must not be is found in a journal that is written by hand. */
class ChecksTest {

    private static final Row ROW = new Row("1", "fault", "cause", "must", Set.of(), stage -> {});
    private static final long MILLI = 1_000_000;

    private final List<Seen> seen = new ArrayList<>();
    private int calls;

    @Test
    void nothingIsFoundWhereNothingIsWrong() {
        hold("a", 1, 0, 100);
        hold("b", 2, 110, 200);
        assertThat(found()).isEmpty();
    }

    @Test
    void overlappingWindowsAreFound() {
        hold("a", 1, 0, 100);
        hold("b", 2, 50, 200);
        assertThat(found()).extracting(Seen.Problem::check).containsExactlyInAnyOrder("ME", "history");
    }

    @Test
    void readersMayOverlap() {
        hold(Hold.reader("a", 1), 1, 0, 100);
        hold(Hold.reader("b", 1), 2, 50, 200);
        assertThat(found()).isEmpty();
    }

    @Test
    void aWriterBesideAReaderIsFound() {
        hold(Hold.reader("a", 1), 1, 0, 100);
        hold("b", 2, 50, 200);
        assertThat(found()).extracting(Seen.Problem::check).containsExactly("ME");
        seen.clear();
        hold("a", 1, 0, 100);
        hold(Hold.reader("b", 1), 2, 50, 200);
        assertThat(found()).extracting(Seen.Problem::check).containsExactly("ME");
    }

    @Test
    void whatTheStoreForgotIsNoProblem() {
        hold("a", 1, 0, 100, Outcome.LOST);
        hold("b", 2, 50, 200);
        seen.add(new Seen.Forgot("job", 40 * MILLI, 45 * MILLI));
        assertThat(found()).isEmpty();
    }

    @Test
    void aTokenThatGoesBackIsFound() {
        hold("a", 2, 0, 100);
        hold("b", 1, 110, 200);
        assertThat(found()).extracting(Seen.Problem::check).containsExactly("history");
    }

    @Test
    void aLockThatNobodyTakesIsFound() {
        hold("a", 1, 0, 100);
        String id = ask("b", Call.ACQUIRE, 0, 50);
        grant(id, 2, 9_000);
        assertThat(found()).extracting(Seen.Problem::check).contains("NLW");
    }

    @Test
    void timeUnderAFaultDoesNotCount() {
        hold("a", 1, 0, 100);
        String id = ask("b", Call.ACQUIRE, 0, 50);
        grant(id, 2, 9_000);
        seen.add(new Seen.Fault("silence", Seen.Harm.FREEZE, 200 * MILLI, 8_900 * MILLI));
        assertThat(found()).extracting(Seen.Problem::check).doesNotContain("NLW", "LV");
    }

    @Test
    void timeInTroubleCounts() {
        hold("a", 1, 0, 100);
        String id = ask("b", Call.ACQUIRE, 0, 50);
        grant(id, 2, 9_000);
        seen.add(new Seen.Fault("trouble", Seen.Harm.TROUBLE, 200 * MILLI, 8_900 * MILLI));
        assertThat(found()).extracting(Seen.Problem::check).contains("NLW");
    }

    @Test
    void aCallThatDoesNotEndIsFound() {
        ask("a", Call.ACQUIRE, 0, 0);
        assertThat(found()).extracting(Seen.Problem::check).containsExactly("LV");
    }

    @Test
    void aCallThatTakesTooLongIsFound() {
        String id = ask("a", Call.ACQUIRE, 0, 0);
        seen.add(new Seen.Answered(id, Outcome.FAIL, 0, 0, 0, "late", 6_000 * MILLI));
        assertThat(found()).extracting(Seen.Problem::check).containsExactly("LV");
    }

    @Test
    void aFaultWithoutEffectIsNoPass() {
        assertThat(played(stage -> {}).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(played(stage -> {
                            stage.bite(1, "bite");
                            stage.bite(0, "other bite");
                        })
                        .verdict())
                .isEqualTo(Verdict.FAILED);
        assertThat(played(stage -> stage.bite(1, "bite")).verdict()).isEqualTo(Verdict.PASSED);
        assertThat(played(stage -> {
                            stage.bite(1, "bite");
                            throw new IllegalStateException("broken");
                        })
                        .verdict())
                .isEqualTo(Verdict.FAILED);
        assertThat(played(stage -> {
                            throw new Skipped("not here");
                        })
                        .verdict())
                .isEqualTo(Verdict.SKIPPED);
    }

    private static RowResult played(Row.Scenario scenario) {
        try (Conductor conductor = new Conductor(new Manner(1, true, false))) {
            return conductor.play(new Row("1", "fault", "cause", "must", Set.of(), scenario), new Journal());
        }
    }

    private List<Seen.Problem> found() {
        return Checks.of(ROW, seen).problems();
    }

    private void hold(String lane, long token, long fromMillis, long toMillis) {
        hold(lane, token, fromMillis, toMillis, Outcome.OK);
    }

    private void hold(String lane, long token, long fromMillis, long toMillis, Outcome released) {
        grant(ask(lane, Call.ACQUIRE, 0, fromMillis), token, fromMillis + 1);
        String release = ask(lane, Call.RELEASE, token, toMillis);
        seen.add(new Seen.Answered(release, released, 0, 0, 0, "", (toMillis + 1) * MILLI));
    }

    private String ask(String lane, Call call, long token, long millis) {
        String id = lane + "/" + ++calls;
        seen.add(new Seen.Asked(id, lane, "job", lane, call, token, 5_000, millis * MILLI));
        return id;
    }

    private void grant(String id, long token, long millis) {
        seen.add(new Seen.Answered(id, Outcome.OK, token, 1, (millis + 30_000) * MILLI, "", millis * MILLI));
    }
}
