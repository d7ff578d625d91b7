package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.hold.Hold;

/** Where a call goes whose owner has the lock already, and a grant that is not wanted any more. */
public interface HoldSteps {

    /** The owner has the lock: the call becomes a re-entry. Within the cell's gate. */
    void reenter(Hold hold, Ticket ticket);

    /** Gives back a grant that is not wanted any more. Within the cell's gate. */
    void free(Hold hold);
}
