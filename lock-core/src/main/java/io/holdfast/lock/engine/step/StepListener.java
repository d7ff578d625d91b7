package io.holdfast.lock.engine.step;

/** The part that waits for one step on the server. */
public interface StepListener {

    /** The deadline has passed without an answer; {@link #ended} still follows, perhaps much later. */
    void overdue();

    /** The step has ended; called exactly once. */
    void ended(Outcome outcome);

    /** A node that has refused the lock keeps the word of a call that the others have granted it; after the end. */
    default void keepsWord() {}

    /** Whether a request that has not been sent yet is still wanted; asked within the gate. */
    default boolean isWanted() {
        return true;
    }
}
