package io.holdfast.lock.engine.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is told of a lock over several nodes is what a majority of them says. */
class SightingTest {

    private static final String HOLDER = "c0:7:1";
    private static final int MAJORITY = 2;

    @Test
    void aTokenIsToldIfAMajorityHasIt() {
        assertThat(agreed(seen(HOLDER, 5), seen(HOLDER, 9), seen(HOLDER, 5)).token())
                .hasValue(5);
    }

    /** Two grants that did not agree, before the higher token is written back: nobody was given either. */
    @Test
    void noTokenIsToldIfNoMajorityHasOne() {
        LockSnapshot agreed = agreed(seen(HOLDER, 5), seen(HOLDER, 9));
        assertThat(agreed.field()).isEqualTo(HOLDER);
        assertThat(agreed.token()).isEmpty();
    }

    @Test
    void aLockIsHeldByWhoeverHasAMajority() {
        assertThat(agreed(seen("c1:8:1", 4), seen(HOLDER, 5), seen(HOLDER, 5)).field())
                .isEqualTo(HOLDER);
        assertThat(agreed(seen("c1:8:1", 4), seen(HOLDER, 5)).isLocked()).isFalse();
    }

    private static LockSnapshot agreed(LockSnapshot... seen) {
        return LockSnapshot.agreed(List.of(seen), MAJORITY);
    }

    private static LockSnapshot seen(String field, long token) {
        return new LockSnapshot(30_000, field, 1, OptionalLong.of(token), 0);
    }
}
