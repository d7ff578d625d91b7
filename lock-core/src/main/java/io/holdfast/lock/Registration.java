package io.holdfast.lock;

/** The registration of an observer. Closing it ends the observation. */
public interface Registration extends AutoCloseable {

    /**
     * Ends it: no call of the observer begins any more. One that is under way may end later. Legal on any thread, and within the
     * observer; a second time does nothing.
     */
    @Override
    void close();
}
