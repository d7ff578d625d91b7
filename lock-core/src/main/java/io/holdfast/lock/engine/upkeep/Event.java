package io.holdfast.lock.engine.upkeep;

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

/** What a listener is told. */
record Event(
        String name,
        String owner,
        OptionalLong fencingToken,
        Duration duration,
        Optional<FailureReason> failureReason,
        Optional<LossReason> lossReason,
        Optional<String> detail)
        implements LockEvent {

    @Override
    public OptionalInt position() {
        return OptionalInt.empty();
    }

    @Override
    public boolean handedOver() {
        return false;
    }

    @Override
    public @Nullable Object context() {
        return null;
    }

    /** On one line, whatever the lock is called. */
    @Override
    public String toString() {
        return Printable.message("LockEvent[name=" + Printable.of(name) + ", owner=" + owner + ", fencingToken="
                + (fencingToken.isPresent() ? Long.toString(fencingToken.getAsLong()) : "none") + ", duration="
                + Durations.of(duration) + ", failureReason="
                + failureReason.map(FailureReason::name).orElse("none") + ", lossReason="
                + lossReason.map(LossReason::name).orElse("none") + ", detail="
                + detail.orElse("none") + ']');
    }
}
