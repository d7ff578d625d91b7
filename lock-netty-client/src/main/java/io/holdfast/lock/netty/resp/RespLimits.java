package io.holdfast.lock.netty.resp;

/**
 * How much a peer may make a decoder keep. Each limit is checked against what a header announces, before memory is
 * spent on it. A bulk string over a limit is left out of its message, up to 512 MiB, and so is the end of an error's line;
 * anything else over one is a violation.
 *
 * @param maxBulkBytes the longest bulk string
 * @param maxLineBytes the longest line, without its type and its end
 * @param maxDepth how deep lists may be nested; 1 allows a list of plain values
 * @param maxElements how many elements the lists of one message may have, all together (a map's entry counts as two)
 * @param maxMessageBytes the longest message, with everything in it
 */
public record RespLimits(int maxBulkBytes, int maxLineBytes, int maxDepth, int maxElements, long maxMessageBytes) {

    /** Room for the answer to any question a lock client asks, also to a Cluster of a thousand nodes. */
    public static final RespLimits DEFAULT = new RespLimits(8 << 20, 64 << 10, 16, 1 << 20, 16L << 20);

    /** The longest string that a decoder leaves out and reads on behind it: as long as a server's may be by default. */
    static final long LONGEST_LEFT_OUT = 512L << 20;

    /** What a JVM can be trusted to allocate as one array. */
    static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    public RespLimits {
        require("maxBulkBytes", maxBulkBytes, LONGEST_ARRAY);
        require("maxLineBytes", maxLineBytes, LONGEST_ARRAY);
        require("maxDepth", maxDepth, LONGEST_ARRAY);
        require("maxElements", maxElements, LONGEST_ARRAY);
        require("maxMessageBytes", maxMessageBytes, Long.MAX_VALUE);
    }

    private static void require(String name, long value, long most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 to " + most + ")");
        }
    }
}
