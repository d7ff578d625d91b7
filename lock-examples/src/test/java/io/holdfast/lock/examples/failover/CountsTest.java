package io.holdfast.lock.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CountsTest {

    @Test
    void aLineBringsAllNumbers() {
        Counts counts = new Counts();
        counts.grant();
        counts.grant();
        counts.sale();
        counts.loss();
        counts.refusal();
        counts.failure();
        Counts sum = Counts.ofLine(counts.toLine());
        sum.add(counts);
        assertThat(counts.toLine()).isEqualTo("2,1,1,1,1");
        assertThat(sum.toLine()).isEqualTo("4,2,2,2,2");
    }

    @Test
    void anotherLineIsRefused() {
        assertThatThrownBy(() -> Counts.ofLine("1,2")).hasMessage("counts: '1,2' (expected: 5 numbers)");
    }
}
