package io.holdfast.lock.tests.history;

import java.util.Locale;

/**
 * One call with its answer.
 *
 * @param number counted from 0 in the order in which calls were told to the history
 * @param lock the lock's name; locks have nothing to do with each other
 * @param owner who called
 * @param call what was asked for
 * @param outcome what was answered
 * @param invokedNanos when it was asked for
 * @param completedNanos when the answer was there; it took effect between these two, if it did, and at any time since
 *     it was asked for if the outcome is unknown
 * @param token the fencing token: granted, or of the hold to release; 0 if there is none, or it was not told
 * @param count how many times the owner holds the lock after a grant; 0 if it was not told
 * @param validUntilNanos until when the hold is surely valid; {@link #FOREVER} for one that never ends by itself
 */
public record Operation(
        int number,
        String lock,
        String owner,
        Call call,
        Outcome outcome,
        long invokedNanos,
        long completedNanos,
        long token,
        int count,
        long validUntilNanos) {

    /** The end of the validity of what never ends by itself. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** Whether it can have changed anything or says anything. */
    boolean matters() {
        boolean without = outcome == Outcome.FAIL || (outcome == Outcome.UNKNOWN && call == Call.EXTEND);
        return !without;
    }

    /** Whether an answer came, so that it must have had its place in the order by then. */
    boolean isDecided() {
        return outcome != Outcome.UNKNOWN;
    }

    /** A line for people, with times in milliseconds since some beginning. */
    String line(long originNanos) {
        String end = isDecided() ? millis(completedNanos - originNanos) : "...";
        return String.format(
                "#%-4d %12s .. %-12s %-14s %s",
                number, millis(invokedNanos - originNanos), end, owner, says(originNanos));
    }

    private String says(long originNanos) {
        StringBuilder text = new StringBuilder(call.name().toLowerCase(Locale.ROOT));
        if (call == Call.RELEASE && token != 0) {
            text.append(" of token ").append(token);
        }
        text.append(" -> ").append(outcome.name().toLowerCase(Locale.ROOT));
        if (outcome == Outcome.OK && call == Call.ACQUIRE) {
            text.append(token == 0 ? "" : ", token " + token).append(count == 0 ? "" : ", count " + count);
        }
        if (outcome == Outcome.OK && (call == Call.ACQUIRE || call == Call.EXTEND) && validUntilNanos != FOREVER) {
            text.append(", valid until ").append(millis(validUntilNanos - originNanos));
        }
        return text.toString();
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.3f", nanos / 1e6);
    }
}
