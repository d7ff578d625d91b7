package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Fault;

/** How one step on the server ended. */
sealed interface Outcome {

    /**
     * The lock is the field's.
     *
     * @param token the fencing token
     * @param sentNanos a time before the request was sent, from which validity counts
     */
    record Granted(long token, long sentNanos) implements Outcome {}

    /**
     * Somebody else holds the lock.
     *
     * @param timeToLiveMillis until its lease runs out; negative if it has none
     */
    record Refused(long timeToLiveMillis) implements Outcome {}

    /**
     * The step took effect.
     *
     * @param sentNanos a time before the request was sent
     * @param listeners connections that were told of a release; -1 if telling is forbidden
     */
    record Done(long sentNanos, long listeners) implements Outcome {}

    /** The field is not there. */
    record Gone() implements Outcome {}

    /** What a question was answered. */
    record Answer(Object value) implements Outcome {}

    /** There is no answer. */
    record Failed(Fault fault) implements Outcome {}
}
