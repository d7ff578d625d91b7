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
}
