package io.holdfast.lock.netty.resp;

import io.netty.buffer.ByteBuf;

/** Whole numbers as RESP spells them, read and written without a string in between. */
final class Decimal {

    private static final int MOST_DIGITS = 19;

    private Decimal() {}

    /** The number of characters of a number, its sign included. */
    static int length(long value) {
        long negative = value > 0 ? -value : value;
        int digits = 1;
        for (long bound = -10; digits < MOST_DIGITS && negative <= bound; bound *= 10) {
            digits++;
        }
        return value < 0 ? digits + 1 : digits;
    }

    /** Appends a number. */
    static void write(ByteBuf out, long value) {
        int length = length(value);
        out.ensureWritable(length);
        int index = out.writerIndex() + length;
        out.writerIndex(index);
        // Negative numbers reach one further than positive ones, so the sign is what is put aside.
        long negative = value > 0 ? -value : value;
        do {
            out.setByte(--index, '0' - (int) (negative % 10));
            negative /= 10;
        } while (negative != 0);
        if (value < 0) {
            out.setByte(--index, '-');
        }
    }

    /**
     * Reads a number: an optional sign, then digits, nothing else.
     *
     * @throws NumberFormatException if it is none, or does not fit into 64 bits
     */
    static long parse(byte[] text, int length) {
        boolean minus = length > 0 && text[0] == '-';
        int index = minus || (length > 0 && text[0] == '+') ? 1 : 0;
        if (index == length) {
            throw new NumberFormatException("no digits");
        }
        long least = minus ? Long.MIN_VALUE : -Long.MAX_VALUE;
        long negative = 0;
        for (; index < length; index++) {
            int digit = text[index] - '0';
            if (digit < 0 || digit > 9) {
                throw new NumberFormatException("not a digit");
            }
            if (negative < least / 10 || negative * 10 < least + digit) {
                throw new NumberFormatException("does not fit into 64 bits");
            }
            negative = negative * 10 - digit;
        }
        return minus ? negative : -negative;
    }
}
