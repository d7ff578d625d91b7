package io.holdfast.lock.netty.tls;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * As much of the encoding of ASN.1 as it takes to put a key of an old format into the one that the JDK reads.
 *
 * <p>PKCS#8 is an envelope: a version, the name of the algorithm, and the key as PKCS#1 (RSA) or SEC1 (elliptic curves) have
 * it.
 */
final class Der {

    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    /** Where a SEC1 key names its curve. */
    private static final int CURVE = 0xa0;

    private static final byte[] VERSION_0 = element(INTEGER, new byte[] {0});
    /** 1.2.840.113549.1.1.1, which has no parameters. */
    private static final byte[] RSA =
            bytes(0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00);
    /** 1.2.840.10045.2.1, whose parameter is the curve. */
    private static final byte[] EC = bytes(0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01);

    private static final int MOST_LENGTH_BYTES = 3;

    private final byte[] bytes;
    private int position;

    private Der(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A PKCS#1 key as PKCS#8. */
    static byte[] rsaKey(byte[] pkcs1) {
        return element(SEQUENCE, VERSION_0, RSA, element(OCTET_STRING, pkcs1));
    }

    /**
     * A SEC1 key as PKCS#8.
     *
     * @throws IllegalArgumentException if it is malformed, or names no curve
     */
    static byte[] ecKey(byte[] sec1) {
        byte[] fields = new Der(sec1).find(SEQUENCE);
        byte[] curve = fields == null ? null : new Der(fields).find(CURVE);
        if (curve == null) {
            throw new IllegalArgumentException("an elliptic curve's key that names no curve");
        }
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTET_STRING, sec1));
    }

    /** The content of the next element that has this tag, of those beside each other here. */
    private byte @Nullable [] find(int tag) {
        while (position < bytes.length) {
            int found = next();
            int length = length();
            if (length < 0 || length > bytes.length - position) {
                throw new IllegalArgumentException("an element that is longer than what holds it");
            }
            position += length;
            if (found == tag) {
                return Arrays.copyOfRange(bytes, position - length, position);
            }
        }
        return null;
    }

    private int length() {
        int first = next();
        if (first < 0x80) {
            return first;
        }
        int count = first & 0x7f;
        if (count > MOST_LENGTH_BYTES) {
            throw new IllegalArgumentException("an element of endless length");
        }
        int length = 0;
        for (int i = 0; i < count; i++) {
            length = (length << 8) | next();
        }
        return length;
    }

    private int next() {
        if (position == bytes.length) {
            throw new IllegalArgumentException("an element that ends too soon");
        }
        return bytes[position++] & 0xff;
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        int lengthBytes = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : MOST_LENGTH_BYTES;
        byte[] element = new byte[2 + lengthBytes + length];
        element[0] = (byte) tag;
        element[1] = (byte) (lengthBytes == 0 ? length : 0x80 | lengthBytes);
        for (int i = 0; i < lengthBytes; i++) {
            element[2 + i] = (byte) (length >> (8 * (lengthBytes - 1 - i)));
        }
        int end = 2 + lengthBytes;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, element, end, part.length);
            end += part.length;
        }
        return element;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
