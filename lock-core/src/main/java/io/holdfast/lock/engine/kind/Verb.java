package io.holdfast.lock.engine.kind;

/** The steps of a lock that a kind has words for. */
public enum Verb {
    /** Takes the lock if nothing excludes it. Reply: {1, token} granted; {0, time to live in ms, place in the queue if there is one} refused. */
    ACQUIRE,
    /** Raises the hold count and the lease. Reply: 1 done; 0 the field is gone. */
    REENTER,
    /** Lowers the hold count, and frees nothing. Reply: {1, 0} done; {0, 0} the field is gone. */
    LOWER,
    /** Removes the field, whatever its count. Reply: {1, receivers of the message} done; {0, 0} it is gone. */
    RELEASE,
    /** Moves the lock from one field to another. Reply: {1, token} done; {0, 0} the first field is gone. */
    TRANSFER,
    /** Raises the leases of many holds. Reply: for each in turn 1 done; 0 the field is gone. */
    RENEW,
    /** Frees the lock, whichever owner holds it. Reply: 1 freed; 0 no owner held it. */
    FORCE,
    /** Takes the lock on one of several nodes. Reply: {1, token, time in us}; {0, time to live in ms, time in us, a holder}. */
    PROPOSE,
    /** Gives a hold on one of several nodes the token of the majority. Reply: 1 done; 0 the field is gone. */
    ADOPT,
    /** Gives a hold one node more. Reply: {1, 0} joined; {0, time to live in ms} another field excludes it. */
    JOIN
}
