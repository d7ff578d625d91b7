package io.holdfast.lock.micrometer;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations, with their names, key values and events. */
public enum LockObservationDocumentation implements ObservationDocumentation {

    /** A call that wants a lock, from its begin to the grant or the refusal. Child of what the caller was in. */
    ACQUIRE {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return LockAcquireConvention.class;
        }

        @Override
        public Observation.Event[] getEvents() {
            return new Observation.Event[] {Events.WAITING};
        }
    },

    /** A hold, from the grant to the release or the loss. Child of what the caller was in, when it called. */
    HOLD {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return LockHoldConvention.class;
        }

        @Override
        public Observation.Event[] getEvents() {
            return new Observation.Event[] {Events.RENEWAL_FAILED};
        }
    };

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return LowCardinality.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return HighCardinality.values();
    }

    @Override
    public String getPrefix() {
        return "holdfast.lock";
    }

    /** Keys with few values. */
    public enum LowCardinality implements KeyName {
        /**
         * How it ended. A call: {@code granted}, {@code handed.over}, {@code reentered}, {@code refused}, {@code timeout} or {@code
         * error}; a hold: {@code released} or {@code lost}.
         */
        OUTCOME {
            @Override
            public String asString() {
                return "holdfast.lock.outcome";
            }
        },
        /** Why a call was refused, a hold was lost or its release was not confirmed; {@code none} for everything else. */
        REASON {
            @Override
            public String asString() {
                return "holdfast.lock.reason";
            }
        }
    }

    /** Keys with any number of values. */
    public enum HighCardinality implements KeyName {
        /** The lock's name. */
        NAME {
            @Override
            public String asString() {
                return "holdfast.lock.name";
            }
        },
        /** The owner. */
        OWNER {
            @Override
            public String asString() {
                return "holdfast.lock.owner";
            }
        },
        /** The fencing token; {@code none} if there is none. */
        TOKEN {
            @Override
            public String asString() {
                return "holdfast.lock.token";
            }
        }
    }

    /** What happens meanwhile. */
    public enum Events implements Observation.Event {
        /** The call begins to wait. */
        WAITING {
            @Override
            public String getName() {
                return "waiting";
            }
        },
        /** A renewal failed; the hold is still valid. */
        RENEWAL_FAILED {
            @Override
            public String getName() {
                return "renewal.failed";
            }
        }
    }
}
