package io.holdfast.lock.engine;

import java.nio.charset.StandardCharsets;

/** Hash slots as Redis Cluster computes them: CRC16 (XMODEM) of the key's tag, modulo 16,384. */
final class Slots {

    static final int COUNT = 16_384;

    private static final int[] CRC_TABLE = crcTable();

    private Slots() {}

    /** The slot of a key. */
    static int of(byte[] key) {
        int open = indexOf(key, '{', 0);
        if (open >= 0) {
            int close = indexOf(key, '}', open + 1);
            if (close > open + 1) {
                return crc16(key, open + 1, close) % COUNT;
            }
        }
        return crc16(key, 0, key.length) % COUNT;
    }

    /** A short tag that hashes to the slot: the smallest number whose digits do. */
    static String tag(int slot) {
        return Integer.toString(Tags.SMALLEST_NUMBER[slot]);
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int crc16(byte[] bytes, int from, int to) {
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = ((crc << 8) ^ CRC_TABLE[((crc >>> 8) ^ bytes[i]) & 0xff]) & 0xffff;
        }
        return crc;
    }

    private static int[] crcTable() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            table[i] = crc & 0xffff;
        }
        return table;
    }

    /** Computed at first use: it takes some 160,000 numbers until every slot has one. */
    private static final class Tags {

        static final int[] SMALLEST_NUMBER = compute();

        private static int[] compute() {
            int[] numbers = new int[COUNT];
            boolean[] found = new boolean[COUNT];
            int missing = COUNT;
            for (int number = 0; missing > 0; number++) {
                byte[] digits = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
                int slot = crc16(digits, 0, digits.length) % COUNT;
                if (!found[slot]) {
                    found[slot] = true;
                    numbers[slot] = number;
                    missing--;
                }
            }
            return numbers;
        }
    }
}
