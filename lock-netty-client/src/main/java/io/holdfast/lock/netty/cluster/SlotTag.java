package io.holdfast.lock.netty.cluster;

import java.nio.charset.StandardCharsets;

/** What stands in the braces of a key that is to be in a certain slot. */
final class SlotTag {

    private static final int POLYNOMIAL = 0x1021;
    private static final int HIGH_BIT = 0x8000;
    private static final int LOW_BITS = 0xFFFF;

    private SlotTag() {}

    /** The smallest number whose digits are in the slot. It takes a millisecond or so to find. */
    static String of(int slot) {
        for (int number = 0; ; number++) {
            String tag = Integer.toString(number);
            if (slotOf(tag) == slot) {
                return tag;
            }
        }
    }

    /** The slot of a tag, as servers compute it: CRC16 (XMODEM), modulo the number of slots. */
    private static int slotOf(String tag) {
        int crc = 0;
        for (byte letter : tag.getBytes(StandardCharsets.US_ASCII)) {
            crc ^= letter << Byte.SIZE;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                crc = (crc & HIGH_BIT) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
            }
            crc &= LOW_BITS;
        }
        return crc % SlotMap.SLOTS;
    }
}
