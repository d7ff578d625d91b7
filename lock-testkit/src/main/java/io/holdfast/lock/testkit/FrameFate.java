package io.holdfast.lock.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * What becomes of one message.
 *
 * @param kind what is done
 * @param delayNanos how much later it arrives, and all behind it
 * @param bytes how much of it arrives before the connection ends
 * @param instead the words of the command that arrives in its place
 */
public record FrameFate(Kind kind, long delayNanos, int bytes, List<String> instead) {
    /** It goes on its way. */
    public static final FrameFate PASS = new FrameFate(Kind.PASS, 0, 0, List.of());

    /**
     * It alone is lost. Right for a pushed message; the loss of a single request or reply is nothing that a network
     * does, and moves every later reply of the connection to the request before its own.
     */
    public static final FrameFate DROP = new FrameFate(Kind.DROP, 0, 0, List.of());

    /** It and all that follows in its direction on this connection is lost, as when the network dies at this moment. */
    public static final FrameFate SWALLOW = new FrameFate(Kind.SWALLOW, 0, 0, List.of());

    /**
     * A request arrives twice, one copy right behind the other, and only the first reply comes back: the server does it
     * twice, and the client is not told. On a connection with subscriptions replies can't be told apart, so don't. A pushed
     * message or a reply just comes twice.
     */
    public static final FrameFate TWICE = new FrameFate(Kind.TWICE, 0, 0, List.of());

    /** What can be done. */
    enum Kind {
        PASS,
        DROP,
        SWALLOW,
        TWICE,
        CUT,
        INSTEAD
    }

    /** It arrives later, and all behind it waits. */
    public static FrameFate delayed(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: >= 0)");
        }
        return new FrameFate(Kind.PASS, delay.toNanos(), 0, List.of());
    }

    /** Only so many of its bytes arrive, then the connection ends on both sides. */
    public static FrameFate cutAfter(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
        }
        return new FrameFate(Kind.CUT, 0, bytes, List.of());
    }

    /** A request is refused in these words; the server says them, so that answers stay in order. */
    public static FrameFate refused(String error) {
        return instead(List.of("EVAL", "return redis.error_reply(ARGV[1])", "0", error));
    }

    /** Another command arrives in the place of a request, and its answer comes back. */
    public static FrameFate instead(List<String> words) {
        return new FrameFate(Kind.INSTEAD, 0, 0, List.copyOf(words));
    }

    /** The command that arrives in its place. */
    byte[] command() {
        StringBuilder command = new StringBuilder("*" + instead.size() + "\r\n");
        for (String word : instead) {
            command.append('$')
                    .append(word.length())
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        return command.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
