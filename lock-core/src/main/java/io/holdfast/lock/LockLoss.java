package io.holdfast.lock;

/** The report of a lost hold. Not for implementing: later versions tell more. */
public interface LockLoss {

    /** The lock's name. */
    String name();

    /** The owner that held it: {@code <client id>:<owner>}. */
    String owner();

    /** The token of the lost hold; resources that check tokens refuse it once a newer one was seen. */
    long fencingToken();

    /** The server concerned. */
    String node();

    /** Why it was lost. */
    LossReason reason();

    /** The reason in words. */
    String detail();

    /**
     * How often this client had handed the lock on to another of its calls since the server last said that it knew it. The lock may have
     * been gone since the first of them: their owners gave it back, and were told of no loss. 0 where the server is asked at each hand-over.
     */
    default int handedOutUnconfirmed() {
        return 0;
    }
}
