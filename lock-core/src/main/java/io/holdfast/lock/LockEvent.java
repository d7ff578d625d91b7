package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a lock, as told to a {@link LockListener}.
 *
 * @param lockName the lock's name
 * @param owner who it happened to
 * @param fencingToken the hold's token, 0 if there is no hold
 * @param duration how long it took: waiting for a grant or a refusal, holding until a release or a loss, one renewal
 * @param reason why, for failures and losses; otherwise null
 * @param detail the reason in words; empty if there is none
 */
public record LockEvent(
        String lockName,
        String owner,
        long fencingToken,
        Duration duration,
        @Nullable FailureReason reason,
        String detail) {

    /** On one line, whatever the lock is called. */
    @Override
    public String toString() {
        return Printable.message("LockEvent[lockName=" + Printable.of(lockName) + ", owner=" + owner
                + ", fencingToken=" + fencingToken + ", duration=" + duration + ", reason=" + reason + ", detail="
                + detail + ']');
    }
}
