package io.holdfast.lock.micrometer;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How {@link LockObservationDocumentation#ACQUIRE} is named and what its key values are. What is not overridden is the default. */
public interface LockAcquireConvention extends ObservationConvention<LockAcquireContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockAcquireContext;
    }

    @Override
    default String getName() {
        return "holdfast.lock.acquire";
    }

    @Override
    default String getContextualName(LockAcquireContext context) {
        return "lock acquire";
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(LockAcquireContext context) {
        return LockKeyValues.low(context);
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(LockAcquireContext context) {
        return LockKeyValues.high(context);
    }
}
