package io.holdfast.lock.engine.wait;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.engine.hold.Hold;

/** Where a call goes whose owner has the lock already, and a grant that is not wanted any more. */
public interface HoldSteps {

    /** The owner has the lock: the call becomes a re-entry. Within the cell's gate. */
    void reenter(Hold hold, Ticket ticket);

    /** Gives back a grant that is not wanted any more. Within the cell's gate. */
    void free(Hold hold);

    /** A hold that a call gave up to await a condition is gone from the server, as was wanted. Within the cell's gate. */
    void givenUp(Hold hold);

    /** The same, where it may still be there when the call ends: it is released. Within the cell's gate. */
    void freeGivenUp(Hold hold);

    /** The server did not know a hold that was to be given up. Within the cell's gate. */
    LockLoss lostBeforeRelease(Hold hold);
}
