package io.holdfast.lock.micrometer;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.micrometer.LockObservationDocumentation.HighCardinality;
import io.holdfast.lock.micrometer.LockObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValues;

/** The key values that both observations have. */
final class LockKeyValues {

    private LockKeyValues() {}

    static KeyValues low(LockObservationContext context) {
        return KeyValues.of(
                LowCardinality.OUTCOME.withValue(context.outcome()), LowCardinality.REASON.withValue(context.reason()));
    }

    static KeyValues high(LockObservationContext context) {
        return KeyValues.of(
                HighCardinality.NAME.withValue(context.lockName()),
                HighCardinality.OWNER.withValue(
                        context.event().map(LockEvent::owner).orElse(LockObservationContext.NONE)),
                HighCardinality.TOKEN.withValue(
                        context.event().map(LockKeyValues::token).orElse(LockObservationContext.NONE)));
    }

    private static String token(LockEvent event) {
        return event.fencingToken().isPresent()
                ? Long.toString(event.fencingToken().getAsLong())
                : LockObservationContext.NONE;
    }
}
