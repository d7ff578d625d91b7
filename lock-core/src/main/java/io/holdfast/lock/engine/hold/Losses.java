package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockLoss;

/** What a client does about holds that were lost. */
public interface Losses {

    /** A hold was lost: its owner is told, then the listener, then the log. On the thread that has found out. */
    void lost(Hold hold, LockLoss loss);

    /** Removes what a lost hold may have left at its stores. Within the cell's gate. */
    void undo(Hold hold);

    /** Keeps a lost hold for its owner's release, within bounds. Within the cell's gate. */
    void remember(Hold hold);

    /** The owner was told, or will never ask. Within the cell's gate. */
    void forget(Hold hold);
}
