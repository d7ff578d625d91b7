package io.holdfast.lock.engine.key;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Hash slots as Redis Cluster computes them: CRC16 (XMODEM) of the key's tag, modulo 16,384. */
public final class Slots {

    public static final int COUNT = 16_384;

    private static final int[] CRC_TABLE = crcTable();

    private Slots() {}

    /** The slot of a key. */
    public static int of(byte[] key) {
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
    public static String tag(int slot) {
        return Integer.toString(Tags.smallestNumber(slot));
    }

    /** The end of a key with this slot's tag, from the tag on. */
    static byte[] tagEnd(int slot) {
        byte[] end = Tags.ENDS.get(slot);
        if (end == null) {
            end = (tag(slot) + '}').getBytes(StandardCharsets.US_ASCII);
            Tags.ENDS.set(slot, end);
        }
        return end;
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
            crc = crc16(crc, bytes[i]);
        }
        return crc;
    }

    /** The CRC16 of what has one byte more. */
    private static int crc16(int crc, int next) {
        return ((crc << 8) ^ CRC_TABLE[((crc >>> 8) ^ next) & 0xff]) & 0xffff;
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

    /**
     * The tags. The first acquisition waits for one of them, so they are not looked for by trying: CRC16 is linear,
     * and that of a number is that of its thousands with three zero bytes behind them, xor that of its last three digits.
     */
    private static final class Tags {

        private static final int SMALL = 1_000;
        /** Enough for every slot to have a number. */
        private static final int THOUSANDS = 256;

        static final AtomicReferenceArray<byte @Nullable []> ENDS = new AtomicReferenceArray<>(COUNT);

        /** One more than the smallest number below a thousand for a slot; 0 if none has it. */
        private static final short[] WHOLE = new short[COUNT];

        /** The same with leading zeros, for the last three digits of larger numbers. */
        private static final short[] LAST_DIGITS = new short[COUNT];

        /** By thousands: their slot with three zero bytes behind them. */
        private static final short[] WITH_ROOM = new short[THOUSANDS];

        static {
            for (int number = SMALL - 1; number >= 0; number--) {
                WHOLE[crcOf(number) % COUNT] = (short) (number + 1);
                LAST_DIGITS[crcOfThreeDigits(number) % COUNT] = (short) (number + 1);
            }
            for (int thousands = 1; thousands < THOUSANDS; thousands++) {
                int crc = crcOf(thousands);
                for (int zeroBytes = 0; zeroBytes < 3; zeroBytes++) {
                    crc = crc16(crc, 0);
                }
                WITH_ROOM[thousands] = (short) (crc % COUNT);
            }
        }

        static int smallestNumber(int slot) {
            if (WHOLE[slot] > 0) {
                return WHOLE[slot] - 1;
            }
            int thousands = 1;
            while (LAST_DIGITS[WITH_ROOM[thousands] ^ slot] == 0) {
                thousands++;
            }
            return thousands * SMALL + LAST_DIGITS[WITH_ROOM[thousands] ^ slot] - 1;
        }

        /** The CRC16 of a number below a thousand in decimal, without a string in between. */
        private static int crcOf(int number) {
            int before = number < 10 ? 0 : crcOf(number / 10);
            return crc16(before, '0' + number % 10);
        }

        private static int crcOfThreeDigits(int number) {
            int hundreds = crc16(0, '0' + number / 100);
            return crc16(crc16(hundreds, '0' + number / 10 % 10), '0' + number % 10);
        }
    }
}
