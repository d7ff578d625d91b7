package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Slots;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of any characters and any length; and slots of any bytes, against a second opinion. */
class NameLimitsTest {

    private static final int MOST_BYTES = 1_024;

    /** Java's own encoder writes a question mark for half a pair, so what comes back is another text. */
    @Property(tries = 1_000)
    void aNameIsTakenIfItIsWellFormedAndShortEnough(@ForAll("anyTexts") String name, @ForAll KeyScheme scheme) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        boolean wellFormed = new String(bytes, StandardCharsets.UTF_8).equals(name);
        LockOptions options = LockOptions.builder().keyScheme(scheme).build();
        if (wellFormed && bytes.length >= 1 && bytes.length <= MOST_BYTES) {
            LockKeys names = LockKeys.of(name, options);
            assertThat(names.name()).isEqualTo(name);
            assertThat(new String(names.keyBytes(), StandardCharsets.UTF_8)).isEqualTo(names.key());
            assertThat(Slots.of(names.channelBytes())).isEqualTo(names.slot);
            assertThat(Slots.of(names.clockBytes())).isEqualTo(names.slot);
            assertThat(Slots.of(LockKeys.fencedKey(name, options.prefix()))).isBetween(0, Slots.COUNT - 1);
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockKeys.of(name, options))
                    .withMessageStartingWith("lock name");
        }
    }

    /** A lock, its channel, its clock and the value of the same name live in one slot, so that a script may touch both. */
    @Property(tries = 300)
    void keyChannelClockAndValueShareASlot(@ForAll("braces") String name) {
        LockKeys names = LockKeys.of(name, LockOptions.defaults());

        for (byte[] key : List.of(names.keyBytes(), names.channelBytes(), names.clockBytes())) {
            assertThat(Slots.of(key)).isEqualTo(names.slot);
        }
        assertThat(Slots.of(LockKeys.fencedKey(name, "holdfast"))).isEqualTo(names.slot);
    }

    /** As a server's {@code CLUSTER KEYSLOT} tells them. */
    @ParameterizedTest
    @CsvSource({"123456789, 12739", "foo, 12182", "bar, 5061", "hello, 866", "'', 0", "foo{}{bar}, 8363"})
    void aSlotIsThatOfAServer(String key, int slot) {
        assertThat(Slots.of(key.getBytes(StandardCharsets.UTF_8))).isEqualTo(slot);
    }

    @Test
    void everySlotHasATagThatHashesToIt() {
        for (int slot = 0; slot < Slots.COUNT; slot++) {
            byte[] key = ("holdfast:token:{" + Slots.tag(slot) + '}').getBytes(StandardCharsets.UTF_8);
            assertThat(Slots.of(key)).isEqualTo(slot);
        }
    }

    @Property(tries = 1_000)
    void aSlotIsThatOfTheSpecification(@ForAll("keys") byte[] key) {
        assertThat(Slots.of(key)).isEqualTo(bitByBit(tag(key)) % Slots.COUNT);
    }

    /** Half of them close to the limit, in characters of one to four bytes, and some with half a pair. */
    @Provide
    Arbitrary<String> anyTexts() {
        Arbitrary<String> pieces = Arbitraries.of("a", "\u0000", "é", "€", "\uD83D\uDD12", ":", "%");
        Arbitrary<String> half = Arbitraries.of("\uD83D", "\uDD12");
        Arbitrary<String> small = Arbitraries.frequencyOf(Tuple.of(30, pieces), Tuple.of(1, half))
                .list()
                .ofMaxSize(20)
                .map(list -> String.join("", list));
        Arbitrary<Integer> bytes = Arbitraries.integers().between(MOST_BYTES - 4, MOST_BYTES + 4);
        Arbitrary<String> atTheLimit = bytes.flatMap(
                length -> Arbitraries.of("a", "é", "€", "\uD83D\uDD12").map(character -> {
                    int each = character.getBytes(StandardCharsets.UTF_8).length;
                    return character.repeat(length / each) + "x".repeat(length % each);
                }));
        return Arbitraries.oneOf(small, atTheLimit);
    }

    @Provide
    Arbitrary<String> braces() {
        return Arbitraries.strings()
                .withChars('a', '{', '}', '%', '2', '5')
                .ofMinLength(1)
                .ofMaxLength(10);
    }

    @Provide
    Arbitrary<byte[]> keys() {
        return Arbitraries.bytes()
                .edgeCases(edges -> edges.includeOnly((byte) '{', (byte) '}', (byte) 0, (byte) -1))
                .array(byte[].class)
                .ofMaxSize(12);
    }

    /** What is hashed of a key: what is between the first brace and the next closing one, if there is anything. */
    private static byte[] tag(byte[] key) {
        for (int open = 0; open < key.length; open++) {
            if (key[open] == '{') {
                for (int close = open + 1; close < key.length; close++) {
                    if (key[close] == '}') {
                        return close == open + 1 ? key : Arrays.copyOfRange(key, open + 1, close);
                    }
                }
                return key;
            }
        }
        return key;
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
        return crc;
    }
}
