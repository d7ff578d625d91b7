package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.evidence.Turns;

/**
 * A hold as its owner saw it.
 *
 * @param askedNanos when it was asked for
 * @param fromNanos when the owner had it
 * @param toNanos when the owner had no more right to it: asked for its release, was told of its loss, or its validity ended
 * @param endNanos when the owner knew of its end
 * @param end how it ended
 */
record Hold(
        String lane,
        String lock,
        String owner,
        long token,
        int levels,
        long askedNanos,
        long fromNanos,
        long toNanos,
        long endNanos,
        End end)
        implements Turns.Turn {

    /** Behind its lane in the name of an owner that reads. */
    private static final String READING = "#reads-";

    /** The name of an owner that has the read half. */
    static String reader(String lane, int number) {
        return lane + READING + number;
    }

    /** Whether an owner has the read half, if it has any. */
    static boolean reads(String owner) {
        return owner.contains(READING);
    }

    boolean reads() {
        return reads(owner);
    }

    /** How a hold ended. */
    enum End {
        RELEASED,
        LOST,
        /** The release was not answered. */
        UNKNOWN,
        /** It had not ended when the row was over. */
        OPEN
    }
}
