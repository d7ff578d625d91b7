package io.holdfast.lock.examples.permits;

/** What a process asks before it opens a connection, and tells when the connection is closed. */
interface ConnectionLimit {

    /** Waits until one more may be opened. */
    void take() throws InterruptedException;

    void giveBack();
}
