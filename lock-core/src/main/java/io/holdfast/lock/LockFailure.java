package io.holdfast.lock;

import java.util.Optional;

/** The details that every exception of this library has, as far as they are known. */
public interface LockFailure {

    /** The lock's name as the caller gave it; empty where no lock is concerned. */
    Optional<String> name();

    /** The owner that wanted, held or released the lock: {@code <client id>:<owner>}. */
    Optional<String> owner();

    /** The address of the server concerned. */
    Optional<String> node();

    /** The reason of the failure. For a lost hold it is {@link FailureReason#HOLD_LOST}, and {@link LockLostException#lossReason()} says why. */
    FailureReason reason();
}
