package io.holdfast.lock.testkit;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds where messages of the protocol end in a stream of bytes, however it is cut into pieces, without keeping any. What
 * is no RESP is one message per line.
 */
final class RespScanner {
    /** How many elements are still to come, of the innermost aggregate last. */
    private final Deque<Long> missing = new ArrayDeque<>();

    private final StringBuilder line = new StringBuilder();
    private long bulkBytes;
    private char firstByte;
    private boolean atBoundary = true;

    /**
     * Goes on at this index until a message ends.
     *
     * @return the index behind its last byte, or -1 if the bytes end before
     */
    int next(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length) {
            if (atBoundary) {
                atBoundary = false;
                firstByte = (char) bytes[at];
            }
            if (bulkBytes > 0) {
                int skipped = (int) Math.min(bulkBytes, bytes.length - at);
                bulkBytes -= skipped;
                at += skipped;
                if (bulkBytes == 0 && elementEnds()) {
                    return at;
                }
            } else {
                char next = (char) (bytes[at++] & 0xff);
                if (next != '\n') {
                    line.append(next);
                } else if (lineEnds()) {
                    return at;
                }
            }
        }
        return -1;
    }

    /** Whether no message has begun that has not ended. */
    boolean isAtBoundary() {
        return atBoundary;
    }

    /** Whether the last message, or the one that has begun, is a push. */
    boolean isPush() {
        return firstByte == '>';
    }

    /** Returns whether the whole message ends with this line. */
    private boolean lineEnds() {
        String read = line.toString();
        line.setLength(0);
        char type = read.isEmpty() ? ' ' : read.charAt(0);
        long count = "$!=*~>%|".indexOf(type) < 0 ? 0 : number(read);
        switch (type) {
            case '$', '!', '=' -> {
                if (count >= 0) {
                    bulkBytes = count + 2;
                    return false;
                }
            }
            case '*', '~', '>' -> {
                if (count > 0) {
                    missing.addLast(count);
                    return false;
                }
            }
            case '%' -> {
                if (count > 0) {
                    missing.addLast(2 * count);
                    return false;
                }
            }
            // Attributes come before the reply that they belong to.
            case '|' -> {
                missing.addLast(2 * count + 1);
                return false;
            }
            default -> {
                return elementEnds();
            }
        }
        return elementEnds();
    }

    private boolean elementEnds() {
        while (!missing.isEmpty()) {
            long left = missing.removeLast() - 1;
            if (left > 0) {
                missing.addLast(left);
                return false;
            }
        }
        atBoundary = true;
        return true;
    }

    private static long number(String read) {
        try {
            return Long.parseLong(read.substring(1).trim());
        } catch (NumberFormatException noResp) {
            return -1;
        }
    }
}
