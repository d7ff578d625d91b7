package io.holdfast.lock.engine.step;

import io.holdfast.lock.engine.hold.HoldLeases;
import io.holdfast.lock.spi.Fault;

/** How one step on a lock's stores ended. */
public sealed interface Outcome {

    /** Whether the field may be at a store now. */
    default boolean mayBeAtStore() {
        return this instanceof Granted
                || this instanceof Uncounted
                || (this instanceof Refused refused && refused.place != Refused.NO_PLACE)
                || (this instanceof Failed failed && failed.fault.maybeApplied());
    }

    /**
     * The lock is the field's.
     *
     * @param token the fencing token
     * @param leases what each store has granted
     * @param anew whether the field had no place in the queue at the server
     * @param left whether the field has left the condition that it was in, before any signal
     * @param others who else wants the lock, if the server was asked for that
     */
    record Granted(long token, HoldLeases leases, boolean anew, boolean left, Others others) implements Outcome {

        public Granted(long token, HoldLeases leases) {
            this(token, leases, Others.NONE);
        }

        Granted(long token, HoldLeases leases, Others others) {
            this(token, leases, false, false, others);
        }
    }

    /** Who wants a lock, beside the client that has it. */
    enum Others {
        /** No client is known to. */
        NONE,
        CLIENTS,
        /** Calls in the server's queue, which keeps their order. */
        QUEUE
    }

    /**
     * The lock is the field's by the word of a server that does not count (rule 88): the field is to be undone.
     *
     * @param fault why it does not count
     */
    record Uncounted(Fault fault) implements Outcome {

        /** What it is for the call, whose field is undone. */
        public Failed failed() {
            return new Failed(fault, true);
        }
    }

    /**
     * Another owner holds the lock, or several want it and none has it.
     *
     * @param timeToLiveMillis until the holder's lease runs out; negative if it has none
     * @param undecided whether none has it
     * @param place how many stand before the field in the queue at the server; {@link #NO_PLACE} if it has no place there
     * @param anew whether it had no place there before
     * @param left whether it has left the condition that it was in, before any signal
     */
    record Refused(long timeToLiveMillis, boolean undecided, int place, boolean anew, boolean left) implements Outcome {

        public static final int NO_PLACE = -1;

        /** Of a time to live: more may be admitted than one step does, so that the call is to ask again at once. */
        public static final long AGAIN = -2;

        public Refused(long timeToLiveMillis, boolean undecided) {
            this(timeToLiveMillis, undecided, NO_PLACE, false, false);
        }
    }

    /**
     * The step took effect.
     *
     * @param listeners connections that were told of a release; -1 if telling is forbidden
     * @param reserved whether the lock is reserved for another client now
     */
    record Applied(long listeners, boolean reserved) implements Outcome {

        private static final Applied UNHEARD = new Applied(0, false);

        public Applied(long listeners) {
            this(listeners, false);
        }

        public static Applied toldTo(long listeners, boolean reserved) {
            return listeners == 0 && !reserved ? UNHEARD : new Applied(listeners, reserved);
        }
    }

    /** A part of the step took effect; the next is to be asked for by the same request. */
    record Unfinished() implements Outcome {}

    /** The field is not there. */
    record Gone() implements Outcome {}

    /** Whether a call that asked had no place in the queue at the server before. */
    default boolean isAnew() {
        return (this instanceof Granted granted && granted.anew) || (this instanceof Refused refused && refused.anew);
    }

    /** Whether a call that asked has left the condition that it awaited, before any signal. */
    default boolean hasLeft() {
        return (this instanceof Granted granted && granted.left) || (this instanceof Refused refused && refused.left);
    }

    /** What a question was answered. */
    record Answer(Object value) implements Outcome {}

    /**
     * There is no answer.
     *
     * @param spent the request is not to be repeated as it is: it had its time, or is being undone already
     * @param quarantineNanos in how long nodes that are left out after a restart, or the pause of a new term, make it pass; 0
     *     if they do not
     */
    record Failed(Fault fault, boolean spent, long quarantineNanos) implements Outcome {

        public Failed(Fault fault) {
            this(fault, false);
        }

        public Failed(Fault fault, boolean spent) {
            this(fault, spent, 0);
        }
    }
}
