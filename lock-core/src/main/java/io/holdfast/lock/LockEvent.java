package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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

    /**
     * Why a call, a renewal or a release failed; empty for everything else. A refused call always has one: {@link
     * FailureReason#HELD_BY_ANOTHER}, {@link FailureReason#NOT_GRANTED} if the wait is over, {@link FailureReason#WITHDRAWN} if the
     * caller gave up, or the fault.
     */
    Optional<FailureReason> failureReason();

    /** Why the hold was lost; empty for everything else. */
    Optional<LossReason> lossReason();

    /** The reason in words; empty where there is none. */
    Optional<String> detail();

    /**
     * The call's place, the first being 1; empty but for a call that begins to wait. Of a fair or a read/write lock it is the place in
     * the server's queue, where calls of other clients stand too; of any other lock, and where the server has not answered yet, that
     * among this client's calls that want the lock.
     */
    OptionalInt position();

    /** True if an acquired lock was handed over by another call of this client; false for everything else. */
    boolean handedOver();

    /**
     * True if a lock went from one call of this client to another one without the server being asked: of a lock that was acquired and
     * handed over, and of the hold that it was transferred from; false for everything else.
     */
    default boolean isLocal() {
        return false;
    }

    /** The result of this listener's {@link LockListener#started} for the call of this event; null if none. */
    @Nullable
    Object context();
}
