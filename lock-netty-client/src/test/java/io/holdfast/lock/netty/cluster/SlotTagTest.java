package io.holdfast.lock.netty.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.testkit.ServerCluster;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotTagTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 5_460, 8_191, 8_192, 12_345, 16_383})
    void aKeyWithTheTagIsInTheSlot(int slot) {
        assertThat(ServerCluster.slotOf("holdfast:wait:id:{" + SlotTag.of(slot) + "}:1"))
                .isEqualTo(slot);
    }
}
