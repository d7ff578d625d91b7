package io.holdfast.lock.netty.address;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The letters and numbers of an address. */
final class AddressText {

    private static final int LONGEST_NAME = 253;

    private AddressText() {}

    /** Where the first of these marks is, or where the text ends. */
    static int firstOf(String marks, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (marks.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    /** Refuses a name that is longer than the name system has them, or has other characters than those of hosts. */
    static String name(String text, String what) {
        if (text.length() > LONGEST_NAME) {
            throw new Malformed(what + " is longer than " + LONGEST_NAME + " characters");
        }
        if (!isName(text)) {
            throw new Malformed(what + " may hold letters and digits of ASCII, '.', '-' and '_' only");
        }
        return text;
    }

    /** The number of at most nine digits, or -1 if this is none. */
    static int number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    /** Undoes percent-encoding. A '+' is a '+'. Refuses what UTF-8 can't say: a '?' would be sent in place of it. */
    static String decode(String text, String what) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new Malformed("the " + what + " holds half of a surrogate pair");
        }
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer decoded = ByteBuffer.allocate(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] != '%') {
                decoded.put(encoded[i]);
                continue;
            }
            int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
            int low = i + 2 < encoded.length ? Character.digit(encoded[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw new Malformed("a '%' in the " + what + " must be written %25");
            }
            decoded.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString();
        } catch (CharacterCodingException notText) {
            throw new Malformed("the " + what + " is not UTF-8");
        }
    }

    /** Whether a text has letters and digits of ASCII only, and {@code .}, {@code -} and {@code _}. */
    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "._-".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }
}
