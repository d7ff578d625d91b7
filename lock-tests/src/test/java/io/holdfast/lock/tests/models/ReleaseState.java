package io.holdfast.lock.tests.models;

import java.util.List;

/**
 * The permits of one semaphore that a client has, and those of another client.
 *
 * @param inside for each call of the client which permit it goes by; {@link #OUT}, or {@link #lost} once that is gone
 * @param known what the client knows of, in the order in which it was granted
 * @param live the client's permits that the server has, each a bit
 * @param others how many the other client has
 * @param minted how many were granted to the client so far
 * @param excess whether a release has given back the permit of a call that is still inside
 * @param misled whether a call was told of a loss that was not its own
 */
record ReleaseState(
        List<Integer> inside,
        List<Known> known,
        int live,
        int others,
        int minted,
        int losses,
        int strays,
        boolean excess,
        boolean misled) {

    static final int OUT = -1;
    private static final int LOST = -2;

    /** The taker of asynchronous calls. */
    static final int NO_THREAD = -1;
    /** The thread that takes for others. */
    static final int DISPATCHER = 9;

    /**
     * A permit that the client knows of.
     *
     * @param taker the thread that took it
     * @param lost whether the client knows that it is lost
     * @param settled whether a thread that took none was told of that
     */
    record Known(int permit, int taker, boolean lost, boolean settled) {

        Known nowLost() {
            return new Known(permit, taker, true, settled);
        }

        Known nowSettled() {
            return new Known(permit, taker, true, true);
        }
    }

    static int lost(int permit) {
        return LOST - permit;
    }

    static boolean isLost(int inside) {
        return inside <= LOST;
    }

    boolean isAtServer(Known known) {
        return (live & 1 << known.permit) != 0;
    }

    /** Whether the client has lost a permit of which no release was told. */
    boolean isUnsettled() {
        return known.stream().anyMatch(permit -> !permit.settled && !isAtServer(permit));
    }

    int size() {
        return Integer.bitCount(live) + others;
    }
}
