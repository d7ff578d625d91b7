package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something that happened to a lock, as told to a {@link LockListener}. Not for implementing: later versions tell more.
 */
public interface LockEvent {

    /** The lock's name. */
    String name();

    /** The owner to which it happened: {@code <client id>:<owner>}. */
    String owner();

    /** The hold's token; empty if there is no hold. */
    OptionalLong fencingToken();

    /** How long it took: waiting for a grant or a refusal, holding until a release or a loss, one renewal. */
    Duration duration();

    /** Why a call or a renewal failed; empty for everything else, and for a lock that was not granted within the wait. */
    Optional<FailureReason> failureReason();

    /** Why the hold was lost; empty for everything else. */
    Optional<LossReason> lossReason();

    /** The reason in words; empty where there is none. */
    Optional<String> detail();
}
