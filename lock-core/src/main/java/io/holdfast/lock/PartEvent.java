package io.holdfast.lock;

import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An event as one part of a {@link ListenerList} is told it: with the part's own context. */
record PartEvent(LockEvent event, @Nullable Object context) implements LockEvent {

    @Override
    public String name() {
        return event.name();
    }

    @Override
    public String owner() {
        return event.owner();
    }

    @Override
    public OptionalLong fencingToken() {
        return event.fencingToken();
    }

    @Override
    public Duration duration() {
        return event.duration();
    }

    @Override
    public Optional<FailureReason> failureReason() {
        return event.failureReason();
    }

    @Override
    public Optional<LossReason> lossReason() {
        return event.lossReason();
    }

    @Override
    public Optional<String> detail() {
        return event.detail();
    }

    @Override
    public OptionalInt position() {
        return event.position();
    }

    @Override
    public boolean handedOver() {
        return event.handedOver();
    }

    @Override
    public boolean isLocal() {
        return event.isLocal();
    }

    @Override
    public String toString() {
        return Printable.message(event);
    }
}
