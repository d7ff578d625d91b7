package io.holdfast.lock.examples.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.examples.console.Samples;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What travels between the processes arrives as it was. */
class TravelTest {

    private static final Run RUN = new Run(ShopKind.LEASE, "stock-1", 100, 1_000, 2_000, 10_000, 3, 1_400);

    @Test
    void runsTravel() {
        assertThat(Run.ofLine(RUN.toLine())).isEqualTo(RUN);
        assertThatThrownBy(() -> Run.ofLine("LEASE stock-1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: 8 words");
    }

    @Test
    void talliesTravel() {
        Samples waits = new Samples();
        waits.add(3);
        waits.add(1);
        Tally tally = new Tally();
        tally.add(waits, 4, 5);
        Tally arrived = Tally.ofLine(tally.toLine());
        assertThat(arrived.refused()).isEqualTo(4);
        assertThat(arrived.faults()).isEqualTo(5);
        assertThat(arrived.waits().size()).isEqualTo(2);
        assertThat(arrived.waits().max()).isEqualTo(3);
        assertThat(Tally.ofLine(new Tally().toLine()).waits().size()).isZero();
    }

    @Test
    void freezesAreSpreadOverTheSale() {
        assertThat(IntStream.rangeClosed(0, 100).filter(RUN::isFreezePoint)).containsExactly(25, 50, 75);
    }
}
