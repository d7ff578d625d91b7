package io.holdfast.lock.examples.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    void percentilesOfOneToOneHundred() {
        Samples samples = new Samples();
        for (int number = 100; number >= 1; number--) {
            samples.add(number);
        }
        assertThat(samples.percentile(0)).isEqualTo(1);
        assertThat(samples.percentile(50)).isEqualTo(50);
        assertThat(samples.percentile(99)).isEqualTo(99);
        assertThat(samples.percentile(99.5)).isEqualTo(100);
        assertThat(samples.max()).isEqualTo(100);
    }

    @Test
    void oneSampleIsEveryPercentile() {
        Samples samples = new Samples();
        samples.add(7);
        assertThat(samples.percentile(0)).isEqualTo(7);
        assertThat(samples.percentile(50)).isEqualTo(7);
        assertThat(samples.max()).isEqualTo(7);
    }

    @Test
    void noSamplesAreZero() {
        assertThat(new Samples().percentile(50)).isZero();
        assertThat(new Samples().max()).isZero();
    }

    @Test
    void addingAfterAskingSortsAgain() {
        Samples samples = new Samples();
        samples.add(5);
        assertThat(samples.max()).isEqualTo(5);
        Samples others = new Samples();
        others.add(1);
        others.add(9);
        samples.addAll(others);
        assertThat(samples.size()).isEqualTo(3);
        assertThat(samples.percentile(50)).isEqualTo(5);
        assertThat(samples.max()).isEqualTo(9);
    }

    @Test
    void refusesAPercentageThatIsNone() {
        assertThatThrownBy(() -> new Samples().percentile(101))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("percent: 101.0 (expected: 0 to 100)");
    }
}
