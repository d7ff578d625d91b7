package io.holdfast.lock.tests.chaos;

import io.holdfast.lock.tests.history.Call;
import io.holdfast.lock.tests.history.Outcome;

/**
 * Something that was seen while a row was played. Times are of the monotonic clock, which all processes of a machine
 * share.
 */
sealed interface Seen {

    /** Why an owner was told of a loss: it has asked. */
    String BY_A_LOOK = "seen by a look";

    /**
     * A call on a lock begins.
     *
     * @param id what its answer is known by
     * @param lane the thread that calls
     * @param owner whose hold it is about
     * @param token the hold that it is about; 0 if it asks for one
     * @param boundMillis by when it has to end
     */
    record Asked(String id, String lane, String lock, String owner, Call call, long token, long boundMillis, long nanos)
            implements Seen {}

    /** A call on a lock has ended. */
    record Answered(String id, Outcome outcome, long token, int count, long validUntilNanos, String reason, long nanos)
            implements Seen {}

    /** An owner looked, and its hold was valid until then at least. */
    record Lasting(String lane, String lock, String owner, long token, long validUntilNanos, long nanos)
            implements Seen {}

    /** An owner was told of a loss, by a callback or a look at the state. */
    record Told(String lane, String lock, long token, String reason, long nanos) implements Seen {}

    /** An update of a shared counter. */
    record Wrote(String lane, String counter, long token, boolean accepted, long nanos) implements Seen {}

    /**
     * What became of the counters.
     *
     * @param updates writes under tokens that were accepted
     * @param lostFenced how many of them are not in the total
     * @param lostBlind how many writes without tokens are not in the total
     * @param refused writes that were refused because their tokens were too old
     */
    record Count(long updates, long lostFenced, long lostBlind, long refused) implements Seen {}

    /** A fault was on. */
    record Fault(String label, Harm harm, long fromNanos, long toNanos) implements Seen {}

    /** What a fault may cost. */
    enum Harm {
        /** Nothing but time that is bounded: locks are granted all the same. */
        TROUBLE,
        /** The lock can't be had, nor given back. */
        OUTAGE,
        /** Clients stand still, so that their calls take longer. */
        FREEZE
    }

    /** Some time between these two a server may have forgotten who holds the lock. */
    record Forgot(String lock, long fromNanos, long toNanos) implements Seen {}

    /** What the fault did: without any, it was no fault. */
    record Bite(long count, String what) implements Seen {}

    /** What else was observed. */
    record Note(String text) implements Seen {}

    /** What must not be. */
    record Problem(String check, String text) implements Seen {}

    /** Whoever takes note of what is seen. */
    interface Sink {
        void see(Seen seen);
    }
}
