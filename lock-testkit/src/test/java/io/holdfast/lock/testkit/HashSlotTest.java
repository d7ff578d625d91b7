package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HashSlotTest {
    @Test
    void slotsAreThoseOfTheSpecification() {
        assertThat(HashSlot.of("123456789")).isEqualTo(0x31C3);
        assertThat(HashSlot.of("{user1000}.following")).isEqualTo(HashSlot.of("user1000"));
        assertThat(HashSlot.of("foo{{bar}}zap")).isEqualTo(HashSlot.of("{bar"));
        assertThat(HashSlot.of("foo{bar}{zap}")).isEqualTo(HashSlot.of("bar"));
        assertThat(HashSlot.of("foo{}{bar}")).isEqualTo(8_363);
        assertThat(HashSlot.of("foo{bar")).isNotEqualTo(HashSlot.of("bar"));
        assertThat(HashSlot.of("")).isZero();
    }

    @Test
    void aTagLeadsToAWantedSlot() {
        for (int slot : new int[] {0, 1, 9_000, HashSlot.COUNT - 1}) {
            assertThat(HashSlot.of("a{" + HashSlot.tagOf(any -> any == slot) + "}b"))
                    .isEqualTo(slot);
        }
        assertThatThrownBy(() -> HashSlot.require(HashSlot.COUNT)).hasMessage("slot: 16384 (expected: 0 to 16383)");
    }
}
