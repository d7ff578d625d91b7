package io.holdfast.lock.tests.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two turns at once, and a token that does not increase, are found in whatever order turns come in. */
class OverlapTest {

    private record Made(String lock, long fromNanos, long toNanos, long token) implements Turns.Turn {}

    private static final class Notes implements Turns.Judge<Made> {

        private final List<String> wrong = new ArrayList<>();

        @Override
        public void overlap(Made earlier, Made later) {
            wrong.add(earlier.token + " overlaps " + later.token);
        }

        @Override
        public void tokenDoesNotIncrease(Made earlier, Made later) {
            wrong.add(earlier.token + " before " + later.token);
        }
    }

    @Test
    void aLongTurnIsComparedWithAllThatItOverlaps() {
        found(
                List.of(turn(0, 100, 1), turn(10, 20, 2), turn(20, 30, 3), turn(100, 110, 4)),
                "1 overlaps 2",
                "1 overlaps 3");
    }

    @Test
    void aTurnWithoutLengthIsInsideAnother() {
        found(List.of(turn(0, 10, 1), turn(5, 5, 2), turn(10, 10, 3)), "1 overlaps 2");
    }

    @Test
    void tokensOfNeighboursAreCompared() {
        found(List.of(turn(0, 1, 5), turn(1, 2, 7), turn(2, 3, 0), turn(3, 4, 6), turn(4, 5, 6)), "6 before 6");
    }

    @Test
    void locksAreNotCompared() {
        found(List.of(turn(0, 10, 2), new Made("b", 5, 15, 1)));
    }

    /** Whatever the order in which they come in. */
    private static void found(List<Made> turns, String... expected) {
        List<Made> shuffled = new ArrayList<>(turns);
        for (int seed = 0; seed < 30; seed++) {
            Notes notes = new Notes();
            Turns<Made> all = new Turns<>(1_000, notes);
            shuffled.forEach(all::accept);
            assertThat(notes.wrong).as(shuffled.toString()).contains(expected);
            assertThat(notes.wrong.isEmpty()).isEqualTo(expected.length == 0);
            Collections.shuffle(shuffled, new Random(seed));
        }
    }

    private static Made turn(long fromNanos, long toNanos, long token) {
        return new Made("a", fromNanos, toNanos, token);
    }
}
