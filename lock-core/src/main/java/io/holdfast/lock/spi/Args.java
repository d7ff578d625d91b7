package io.holdfast.lock.spi;

import java.util.Arrays;

/** The sink for the keys and arguments of a call. All keys come before the first argument. */
public interface Args {

    Args key(byte[] key);

    /** Writes a key of two pieces as one. */
    default Args key(byte[] start, byte[] end) {
        return key(joined(start, end));
    }

    /** Writes a key of three pieces as one. */
    default Args key(byte[] start, byte[] middle, byte[] end) {
        return key(joined(joined(start, middle), end));
    }

    Args arg(byte[] value);

    /** Writes an argument of two pieces as one. */
    default Args arg(byte[] start, byte[] end) {
        return arg(joined(start, end));
    }

    /** Writes an argument of three pieces as one. */
    default Args arg(byte[] start, byte[] middle, byte[] end) {
        return arg(joined(joined(start, middle), end));
    }

    /** Writes the number in decimal. */
    Args arg(long value);

    private static byte[] joined(byte[] start, byte[] end) {
        byte[] whole = Arrays.copyOf(start, start.length + end.length);
        System.arraycopy(end, 0, whole, start.length, end.length);
        return whole;
    }
}
