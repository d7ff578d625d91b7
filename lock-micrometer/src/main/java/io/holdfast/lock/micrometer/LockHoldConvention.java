package io.holdfast.lock.micrometer;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How {@link LockObservationDocumentation#HOLD} is named and what its key values are. What is not overridden is the default. */
public interface LockHoldConvention extends ObservationConvention<LockHoldContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockHoldContext;
    }

    @Override
    default String getName() {
        return "holdfast.lock.hold";
    }

    @Override
    default String getContextualName(LockHoldContext context) {
        return "lock hold";
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(LockHoldContext context) {
        return LockKeyValues.low(context);
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(LockHoldContext context) {
        return LockKeyValues.high(context);
    }
}
