package io.holdfast.lock.tests.soak;

import io.holdfast.lock.tests.evidence.Turns;

/**
 * A time during which somebody was sure to hold a lock, and what he wrote to the lock's counter meanwhile. Times are of
 * the machine's monotonic clock, which all of its processes share.
 *
 * @param lock the lock's name
 * @param owner who held it: the JVM and the call
 * @param firstNanos when the hold was first seen to be valid
 * @param lastNanos the last moment for which the hold was valid by its own account
 * @param token the hold's fencing token; 0 if it was not asked for
 * @param written the counter as written under the token; 0 if nothing was written for sure
 * @param maybeWritten whether something may have been written nevertheless
 */
record Claim(String lock, String owner, long firstNanos, long lastNanos, long token, long written, boolean maybeWritten)
        implements Turns.Turn {

    @Override
    public long fromNanos() {
        return firstNanos;
    }

    @Override
    public long toNanos() {
        return lastNanos + 1;
    }

    /** The opposite of {@link #parse}. */
    String line() {
        return String.join(
                " ",
                lock,
                owner,
                Long.toString(firstNanos),
                Long.toString(lastNanos),
                Long.toString(token),
                Long.toString(written),
                Boolean.toString(maybeWritten));
    }

    static Claim parse(String line) {
        String[] words = line.split(" ");
        return new Claim(
                words[0],
                words[1],
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Boolean.parseBoolean(words[6]));
    }

    /** Whether the hold was ever seen to be valid; a grant may be out of date when it is looked at. */
    boolean wasValid() {
        return lastNanos >= firstNanos;
    }
}
