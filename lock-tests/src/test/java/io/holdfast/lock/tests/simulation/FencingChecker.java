package io.holdfast.lock.tests.simulation;

import java.util.Arrays;

/**
 * FM: tokens increase in the order in which acquisitions take effect at a server, those of a quorum in the order in which
 * locks are handed out, and a resource that looks at tokens never refuses an owner that holds the lock validly.
 * It hears of tokens from the servers, in their order; owners, who are heard by other evidence, may learn of them in another.
 *
 * <p>The one thing that excuses a server is a clock behind its own tokens after it has lost data.
 */
final class FencingChecker {

    private final Complaints complaints;
    private final long[][] highest;
    private final long[] handedOut;
    private final long[] written;
    private final boolean[][] lost;
    private final boolean quorum;
    private long mostAheadMicros = Long.MAX_VALUE / 2;
    private boolean anyExcused;
    private long refusedWrites;

    FencingChecker(Complaints complaints, int servers, int locks, boolean quorum) {
        this.complaints = complaints;
        this.quorum = quorum;
        this.highest = new long[servers][locks];
        this.handedOut = new long[locks];
        this.written = new long[locks];
        this.lost = new boolean[servers][locks];
    }

    /**
     * A server has granted a lock.
     *
     * @param before the token that this acquisition had already; 0 for a new one
     * @param micros the time of the server's day
     */
    void granted(int server, int lock, String field, long before, long token, long micros) {
        long highestBefore = highest[server][lock];
        if (before == token) {
            return;
        }
        if (before == 0 && token > Math.max(micros + mostAheadMicros, highestBefore + 1)) {
            complaints.broken(
                    "FM",
                    field + " was granted with token " + token + " by server " + server + " at " + micros
                            + " (expected: at most " + mostAheadMicros + " ahead)");
        }
        if (token > highestBefore) {
            highest[server][lock] = token;
            lost[server][lock] = false;
        } else if (lost[server][lock] && micros <= highestBefore) {
            anyExcused = true;
        } else if (!quorum || before == 0) {
            complaints.broken(
                    "FM",
                    field + " was granted with token " + token + " by server " + server + ", after " + highestBefore);
        }
    }

    /** A server has joined a hold, and has taken its token. */
    void joined(int server, int lock, long token) {
        if (token > highest[server][lock]) {
            highest[server][lock] = token;
            lost[server][lock] = false;
        }
    }

    /** How far ahead of a server's clock the tokens of its new acquisitions may be. */
    void mostAhead(long micros) {
        mostAheadMicros = micros;
    }

    /** A server may have lost its token clocks. */
    void lostData(int server) {
        Arrays.fill(lost[server], true);
    }

    /** An owner is told that it has a lock, and writes to what the lock guards. */
    void handedOut(int lock, String owner, long token, boolean exclusive) {
        if (quorum && exclusive && !anyExcused && token <= handedOut[lock]) {
            complaints.broken("FM", owner + " was handed the lock with token " + token + ", after " + handedOut[lock]);
        }
        handedOut[lock] = Math.max(handedOut[lock], token);
        write(lock, owner, token, exclusive);
    }

    /**
     * An owner writes to what the lock guards.
     *
     * @param exclusive whether the owner holds the lock validly and nothing excuses another at the same time
     */
    void write(int lock, String owner, long token, boolean exclusive) {
        if (token >= written[lock]) {
            written[lock] = token;
            return;
        }
        refusedWrites++;
        if (exclusive && !anyExcused) {
            complaints.broken(
                    "FM",
                    owner + " holds the lock with token " + token + ", but was refused by the resource after "
                            + written[lock]);
        }
    }

    boolean isQuorum() {
        return quorum;
    }

    /** Whether a clock was behind the tokens of a server that had lost its data, so that tokens went back. */
    boolean isExcused() {
        return anyExcused;
    }

    long refusedWrites() {
        return refusedWrites;
    }

    @Override
    public String toString() {
        return "highest tokens " + Arrays.deepToString(highest);
    }
}
