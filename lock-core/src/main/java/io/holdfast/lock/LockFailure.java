package io.holdfast.lock;

/** What every exception of this library can tell. Texts are empty, never null, where something is not known. */
public interface LockFailure {

    /** The lock's name as the caller gave it. */
    String lockName();

    /** Who wanted, held or released the lock: {@code <client id>:<owner>}. */
    String owner();

    /** The address of the server concerned. */
    String node();

    /** What happened. */
    FailureReason reason();
}
