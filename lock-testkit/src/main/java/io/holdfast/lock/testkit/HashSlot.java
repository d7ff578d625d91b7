package io.holdfast.lock.testkit;

import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The hash slots of a cluster: which one a key is in, and a tag for one that is wanted. */
final class HashSlot {
    static final int COUNT = 16_384;

    private HashSlot() {}

    /** The slot of a key: of what is in its first braces, unless there is nothing in them. */
    static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return crc16(close > open + 1 ? key.substring(open + 1, close) : key) % COUNT;
    }

    /** A number whose slot is one of those wanted, to stand in the braces of keys; the same at each call. */
    static String tagOf(IntPredicate wanted) {
        return IntStream.range(0, 100 * COUNT)
                .mapToObj(String::valueOf)
                .filter(tag -> wanted.test(of(tag)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no slot is wanted"));
    }

    static int require(int slot) {
        if (slot < 0 || slot >= COUNT) {
            throw new IllegalArgumentException("slot: " + slot + " (expected: 0 to " + (COUNT - 1) + ")");
        }
        return slot;
    }

    /** CRC16 (XMODEM) without a table. */
    private static int crc16(String text) {
        int crc = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
        }
        return crc & 0xffff;
    }
}
