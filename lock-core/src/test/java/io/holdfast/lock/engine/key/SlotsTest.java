package io.holdfast.lock.engine.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slots, as a server's {@code CLUSTER KEYSLOT} tells them. */
class SlotsTest {

    @ParameterizedTest
    @CsvSource({"123456789, 12739", "foo, 12182", "bar, 5061", "hello, 866", "'', 0"})
    void aKeyIsHashedByCrc16(String key, int slot) {
        assertThat(slot(key)).isEqualTo(slot);
    }

    @ParameterizedTest
    @CsvSource({
        "{foo}bar, foo",
        "bar{foo}, foo",
        "a{foo}{bar}, foo",
        "{foo}}, foo",
        "a{{foo}, {foo",
    })
    void onlyTheFirstTagIsHashed(String key, String tag) {
        assertThat(slot(key)).isEqualTo(slot("x{" + tag + "}"));
        assertThat(slot(key)).isNotEqualTo(slot("x" + key.replace("{", "(")));
    }

    @Test
    void anEmptyOrOpenTagIsNone() {
        assertThat(slot("foo{}{bar}")).isEqualTo(8363);
        assertThat(slot("foo{bar")).isNotEqualTo(slot("bar"));
        assertThat(slot("foo}{bar")).isNotEqualTo(slot("bar"));
    }

    @Test
    void bytesAboveAsciiCountAsUnsigned() {
        byte[] key = {(byte) 0xff, (byte) 0x80};

        assertThat(Slots.of(key)).isBetween(0, Slots.COUNT - 1).isEqualTo(bitByBit(key));
    }

    @Test
    void everySlotHasATagThatHashesToIt() {
        for (int slot = 0; slot < Slots.COUNT; slot++) {
            assertThat(slot("holdfast:token:{" + Slots.tag(slot) + '}')).isEqualTo(slot);
        }
    }

    private static int slot(String key) {
        return Slots.of(key.getBytes(StandardCharsets.UTF_8));
    }

    /** CRC16 (XMODEM) without a table. */
    private static int bitByBit(byte[] bytes) {
        int crc = 0;
        for (byte each : bytes) {
            for (int bit = 7; bit >= 0; bit--) {
                int top = ((crc >> 15) ^ (each >> bit)) & 1;
                crc = ((crc << 1) ^ (top * 0x1021)) & 0xffff;
            }
        }
        return crc % Slots.COUNT;
    }
}
