package io.holdfast.lock.examples.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VisitsTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void thePictureShowsWhoWaitsHoldsAndIsFrozen() {
        Visit first = visit(1, 0, 0, 4);
        Visit second = visit(2, 1, 5, 8);
        second.freeze(2 * SECOND, 4 * SECOND);
        List<String> lines = new Visits(List.of(first, second)).picture();
        assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(lines.get(0)).matches("  process 1  #+");
        assertThat(lines.get(1)).matches("  process 2   +\\.+z+\\.+#+");
        assertThat(lines.get(2)).matches(" +0 s +8\\.0 s");
    }

    @Test
    void theOrderIsThatOfTheGrantsAndIdleIsTheLongestGap() {
        Visits visits = new Visits(List.of(visit(1, 0, 0, 2), visit(2, 1, 7, 8), visit(3, 1, 3, 4)));
        assertThat(visits.order()).containsExactly(1, 3, 2);
        assertThat(visits.longestIdleNanos()).isEqualTo(3 * SECOND);
    }

    private static Visit visit(int process, int asked, int granted, int released) {
        Visit visit = new Visit(process);
        visit.ask(asked * SECOND);
        visit.grant(granted * SECOND);
        visit.release(released * SECOND);
        return visit;
    }
}
