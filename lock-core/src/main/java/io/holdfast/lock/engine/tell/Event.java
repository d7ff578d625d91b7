package io.holdfast.lock.engine.tell;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a listener is told of a lock. */
record Event(
        String name,
        String owner,
        OptionalLong fencingToken,
        Duration duration,
        Optional<FailureReason> failureReason,
        Optional<LossReason> lossReason,
        Optional<String> detail,
        OptionalInt position,
        boolean handedOver,
        boolean isLocal,
        @Nullable Object context)
        implements LockEvent {

    /** The same event for another listener. */
    Event with(@Nullable Object itsContext) {
        return itsContext == context
                ? this
                : new Event(
                        name,
                        owner,
                        fencingToken,
                        duration,
                        failureReason,
                        lossReason,
                        detail,
                        position,
                        handedOver,
                        isLocal,
                        itsContext);
    }

    /** On one line, whatever the lock is called. The context is the listener's own, and its text may be anything. */
    @Override
    public String toString() {
        return Printable.message("LockEvent[name=" + Printable.of(name) + ", owner=" + owner + ", fencingToken="
                + (fencingToken.isPresent() ? Long.toString(fencingToken.getAsLong()) : "none") + ", duration="
                + Durations.of(duration) + ", failureReason="
                + failureReason.map(FailureReason::name).orElse("none") + ", lossReason="
                + lossReason.map(LossReason::name).orElse("none") + ", detail="
                + detail.orElse("none") + ", position="
                + (position.isPresent() ? Integer.toString(position.getAsInt()) : "none")
                + (handedOver ? ", handed over" : "") + (isLocal ? ", local" : "") + ']');
    }
}
