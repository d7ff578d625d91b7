package io.holdfast.lock.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LockCountsTest {

    @Test
    void aLineBringsAllNumbersAndTheLongestWaitOnce() {
        LockCounts counts = new LockCounts();
        counts.grant(7, 2_000);
        counts.grant(8, 9_000);
        counts.grant(8, 3_000);
        counts.count();
        counts.refusal();
        counts.loss();
        counts.failure();
        LockCounts heard = LockCounts.ofLine(counts.takeLine());
        assertThat(heard.takeLine()).isEqualTo("3,1,1,1,1,1,9");
        assertThat(counts.takeLine()).isEqualTo("3,1,1,1,1,1,0");
    }

    @Test
    void sumsKeepTheLongestWait() {
        LockCounts sum = LockCounts.ofLine("1,2,3,4,5,6,70");
        sum.add(LockCounts.ofLine("1,1,1,1,1,1,9"));
        assertThat(sum.takeLine()).isEqualTo("2,3,4,5,6,7,70");
    }

    @Test
    void whatIsNoLineOfCountsIsRefused() {
        assertThatThrownBy(() -> LockCounts.ofLine("1,2")).hasMessage("counts: '1,2' (expected: 7 numbers)");
    }
}
