package io.holdfast.lock;

/** What an observer has as long as it is told: closing it ends that. */
public interface Registration extends AutoCloseable {

    /**
     * Ends it: no call of the observer begins any more. One that is under way may end later. Legal on any thread, and within the
     * observer; a second time does nothing.
     */
    @Override
    void close();
}
