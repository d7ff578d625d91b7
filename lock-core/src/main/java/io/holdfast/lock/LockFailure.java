package io.holdfast.lock;

import java.util.Optional;

/** What every exception of this library can tell, as far as it is known. */
public interface LockFailure {

    /** The lock's name as the caller gave it; empty where no lock is concerned. */
    Optional<String> name();

    /** The owner that wanted, held or released the lock: {@code <client id>:<owner>}. */
    Optional<String> owner();

    /** The address of the server concerned. */
    Optional<String> node();

    /** What happened. Of a hold that was lost it is {@link FailureReason#HOLD_LOST}, and {@link LockLostException#lossReason()} says why. */
    FailureReason reason();
}
