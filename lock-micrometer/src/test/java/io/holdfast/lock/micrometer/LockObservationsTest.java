package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.LossReason;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Test;

/** What events become observations, with events made by hand. */
class LockObservationsTest {

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final LockObservations observations = LockObservations.of(registry);

    @Test
    void aCallAndItsHoldAreChildrenOfTheCallersObservation() {
        Observation caller = Observation.start("caller", registry);
        Object context;
        try (Observation.Scope inside = caller.openScope()) {
            context = observations.started("stock");
            assertThat(registry.getCurrentObservation()).isSameAs(caller);
        }
        TestEvent event = TestEvent.of("stock", 5).with(context);
        // No longer in the caller's scope, and in that of another: so it is on a thread for callbacks.
        try (Observation.Scope elsewhere =
                Observation.start("elsewhere", registry).openScope()) {
            observations.waiting(event);
            observations.acquired(event);
            observations.renewalFailed(event.failed(FailureReason.NO_ANSWER).with(context));
            observations.released(event);
        }
        caller.stop();
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.acquire")
                .that()
                .hasBeenStarted()
                .hasBeenStopped()
                .doesNotHaveError()
                .hasContextualNameEqualTo("lock acquire")
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "granted")
                .hasLowCardinalityKeyValue("holdfast.lock.reason", "none")
                .hasHighCardinalityKeyValue("holdfast.lock.name", "stock")
                .hasHighCardinalityKeyValue("holdfast.lock.owner", "client:1")
                .hasHighCardinalityKeyValue("holdfast.lock.token", "7")
                .hasParentObservationEqualTo(caller);
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.hold")
                .that()
                .hasBeenStarted()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "released")
                .hasParentObservationEqualTo(caller);
    }

    @Test
    void aHoldWithoutACallersObservationHasNoParent() {
        Object context = observations.started("stock");
        try (Observation.Scope elsewhere =
                Observation.start("elsewhere", registry).openScope()) {
            observations.acquired(TestEvent.of("stock", 5).with(context));
            observations.released(TestEvent.of("stock", 5).with(context));
        }
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.hold")
                .that()
                .doesNotHaveParentObservation();
    }

    @Test
    void aRefusalIsAnOutcomeAndAFaultIsAnError() {
        refused(FailureReason.NOT_GRANTED);
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.acquire")
                .that()
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "timeout")
                .hasLowCardinalityKeyValue("holdfast.lock.reason", "not.granted")
                .doesNotHaveError();
        registry.clear();
        refused(FailureReason.UNREACHABLE);
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.acquire")
                .that()
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "error")
                .hasBeenStopped()
                .thenError()
                .hasMessage("lock 'stock': not acquired, unreachable: a detail");
    }

    private void refused(FailureReason reason) {
        observations.refused(TestEvent.of("stock", 5).failed(reason).with(observations.started("stock")));
    }

    @Test
    void aLossIsAnErrorOfTheHoldAndEndsItOnce() {
        Object context = observations.started("stock");
        TestEvent event = TestEvent.of("stock", 5).with(context);
        observations.acquired(event.byHandOver());
        observations.lost(event.lost(LossReason.KEY_GONE));
        observations.released(event);
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.hold")
                .that()
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "lost")
                .hasLowCardinalityKeyValue("holdfast.lock.reason", "key.gone")
                .thenError()
                .hasMessage("lock 'stock': lost, key.gone: a detail");
    }

    /** A loss does not wait for longer than a second behind a method that has not returned. */
    @Test
    void aLossThatIsToldBeforeItsGrantEndsTheHold() {
        Object context = observations.started("stock");
        TestEvent event = TestEvent.of("stock", 5).with(context);
        observations.lost(event.lost(LossReason.KEY_GONE));
        observations.acquired(event);
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.hold")
                .that()
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "lost")
                .hasBeenStopped();
    }

    @Test
    void aConventionThatFailsAtTheEndOfACallHidesNoHold() {
        LockObservations failing = LockObservations.of(
                registry,
                new LockAcquireConvention() {
                    @Override
                    public KeyValues getLowCardinalityKeyValues(LockAcquireContext context) {
                        if (context.event().isPresent()) {
                            throw new IllegalStateException("no values");
                        }
                        return KeyValues.empty();
                    }
                },
                null);
        TestEvent event = TestEvent.of("stock", 5).with(failing.started("stock"));
        assertThatIllegalStateException().isThrownBy(() -> failing.acquired(event));
        failing.released(event);
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.hold")
                .that()
                .hasBeenStopped();
    }

    @Test
    void aReentryHasNoHoldOfItsOwn() {
        observations.reentered(TestEvent.of("stock", 0).with(observations.started("stock")));
        TestObservationRegistryAssert.assertThat(registry)
                .hasNumberOfObservationsEqualTo(1)
                .hasObservationWithNameEqualTo("holdfast.lock.acquire")
                .that()
                .hasLowCardinalityKeyValue("holdfast.lock.outcome", "reentered")
                .hasBeenStopped();
    }

    @Test
    void eventsOfCallsThatWereNotObservedAreLeftAlone() {
        assertThat(LockObservations.of(ObservationRegistry.NOOP).started("stock"))
                .isNull();
        observations.acquired(TestEvent.of("stock", 5));
        observations.released(TestEvent.of("stock", 5).with("of another listener"));
        TestObservationRegistryAssert.assertThat(registry).doesNotHaveAnyObservation();
    }

    @Test
    void conventionsOfTheRegistryAndOfTheUserReplaceTheDefault() {
        registry.observationConfig().observationConvention(new NamedByLock());
        LockObservations own = LockObservations.of(registry, null, new LockHoldConvention() {
            @Override
            public KeyValues getLowCardinalityKeyValues(LockHoldContext context) {
                return KeyValues.of(KeyValue.of("team", "stock"));
            }
        });
        Object context = own.started("stock");
        own.acquired(TestEvent.of("stock", 5).with(context));
        own.released(TestEvent.of("stock", 5).with(context));
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.acquire")
                .that()
                .hasContextualNameEqualTo("lock stock");
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("holdfast.lock.hold")
                .that()
                .hasLowCardinalityKeyValue("team", "stock");
    }

    @Test
    void metersOfTheHandlerCanBeDeniedSoThatEachHoldCountsOnce() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        meters.config().meterFilter(LockObservations.withoutMeters());
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        LockMeters lockMeters = LockMeters.of(meters);
        TestEvent event = TestEvent.of("stock", 5).with(observations.started("stock"));
        observations.waiting(event);
        observations.acquired(event);
        observations.renewalFailed(event);
        observations.released(event);
        lockMeters.released(event);
        assertThat(meters.find("holdfast.lock.hold").timers())
                .hasSize(2)
                .allSatisfy(timer -> assertThat(timer.getId().getTags()).hasSize(1));
        assertThat(meters.getMeters())
                .noneMatch(meter -> meter.getId().getName().startsWith("holdfast.lock.acquire")
                        || meter.getId().getName().startsWith("holdfast.lock.hold."));
    }

    private static final class NamedByLock
            implements LockAcquireConvention, GlobalObservationConvention<LockAcquireContext> {

        @Override
        public String getContextualName(LockAcquireContext context) {
            return "lock " + context.lockName();
        }
    }
}
