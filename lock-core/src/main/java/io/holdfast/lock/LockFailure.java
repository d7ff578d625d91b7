package io.holdfast.lock;

/** What every exception of this library has. Texts that are not known are empty, never null. */
public interface LockFailure {

    /** The lock's name as the caller gave it. */
    String lockName();

    /** The owner that wanted, held or released the lock: {@code <client id>:<owner>}. */
    String owner();

    /** The address of the server concerned. */
    String node();

    /** What happened. */
    FailureReason reason();
}
