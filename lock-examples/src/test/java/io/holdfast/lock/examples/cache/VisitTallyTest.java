package io.holdfast.lock.examples.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisitTallyTest {

    @Test
    void aLineBringsAllWaitsAndWhatWasHalfWritten() {
        Tally tally = new Tally();
        tally.add(5, true);
        tally.add(7, false);
        Tally sum = Tally.ofLine(tally.toLine());
        sum.add(tally);
        assertThat(sum.visits()).isEqualTo(4);
        assertThat(sum.torn()).isEqualTo(2);
        assertThat(sum.waits().max()).isEqualTo(7);
        assertThat(Tally.ofLine(new Tally().toLine()).visits()).isZero();
    }
}
