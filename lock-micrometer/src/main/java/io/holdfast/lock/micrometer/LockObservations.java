package io.holdfast.lock.micrometer;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Observations of what clients do: spans, for one. A listener for the options of clients:
 *
 * <pre>{@code
 * LockOptions.builder().listener(LockListener.of(LockMeters.of(meters), LockObservations.of(observations))).build()
 * }</pre>
 *
 * <p>Each call that wants a lock is an observation, and each hold. Both are children of the observation that the caller's thread was
 * in when it called, also for the asynchronous calls; neither becomes the current one of a thread. An observation begins when its
 * call does, and ends when the client's callback executor comes to tell it; how long it took exactly says
 * {@link LockObservationContext#event}. {@link LockObservationDocumentation} lists names and key values.
 */
public final class LockObservations implements LockListener {

    private static final LockAcquireConvention DEFAULT_ACQUIRE = new LockAcquireConvention() {};
    private static final LockHoldConvention DEFAULT_HOLD = new LockHoldConvention() {};

    private final ObservationRegistry registry;
    private final @Nullable LockAcquireConvention acquireConvention;
    private final @Nullable LockHoldConvention holdConvention;

    private LockObservations(
            ObservationRegistry registry,
            @Nullable LockAcquireConvention acquireConvention,
            @Nullable LockHoldConvention holdConvention) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.acquireConvention = acquireConvention;
        this.holdConvention = holdConvention;
    }

    /** Observations in this registry, by its own conventions if it has some, or by the default ones. */
    public static LockObservations of(ObservationRegistry registry) {
        return new LockObservations(registry, null, null);
    }

    /** Observations in this registry, by these conventions; null for the default one. */
    public static LockObservations of(
            ObservationRegistry registry,
            @Nullable LockAcquireConvention acquireConvention,
            @Nullable LockHoldConvention holdConvention) {
        return new LockObservations(registry, acquireConvention, holdConvention);
    }

    /**
     * Denies the meters that Micrometer's {@code DefaultMeterObservationHandler} makes of these observations. One of them would be a
     * second {@code holdfast.lock.hold} with other tags: a registry for Prometheus takes the one that comes first, and other
     * registries count each hold twice. Put it into a registry that has {@link LockMeters} and that handler, before any meter.
     */
    public static MeterFilter withoutMeters() {
        return new MeterFilter() {
            @Override
            public MeterFilterReply accept(Meter.Id id) {
                return isOfObservation(id) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
            }
        };
    }

    /** The handler's timers have the keys of the observation, and what it adds to the name is {@code active} or an event. */
    private static boolean isOfObservation(Meter.Id id) {
        String name = id.getName();
        if (!name.startsWith("holdfast.lock.acquire") && !name.startsWith(Names.HOLD)) {
            return false;
        }
        return !name.equals(Names.HOLD) || id.getTag("error") != null;
    }

    @Override
    public @Nullable Object started(String lockName) {
        return registry.isNoop() ? null : new Call(lockName);
    }

    @Override
    public void waiting(LockEvent event) {
        with(event, call -> call.acquire.event(LockObservationDocumentation.Events.WAITING));
    }

    @Override
    public void acquired(LockEvent event) {
        with(event, call -> call.granted(event));
    }

    @Override
    public void reentered(LockEvent event) {
        with(event, call -> call.ended("reentered", event));
    }

    @Override
    public void refused(LockEvent event) {
        with(event, call -> call.ended(WaitOutcome.ofRefused(event).text(), event));
    }

    @Override
    public void transferred(LockEvent event) {
        with(event, call -> call.released(event));
    }

    @Override
    public void released(LockEvent event) {
        with(event, call -> call.released(event));
    }

    @Override
    public void renewalFailed(LockEvent event) {
        with(event, Call::renewalFailed);
    }

    @Override
    public void lost(LockEvent event) {
        with(event, call -> call.lost(event));
    }

    private static void with(LockEvent event, Consumer<Call> what) {
        if (event.context() instanceof Call call) {
            what.accept(call);
        }
    }

    @Override
    public String toString() {
        return "LockObservations";
    }

    /** What is observed of one call: the call, and the hold that came of it. Events come one at a time, but for a loss. */
    private final class Call {

        private final LockAcquireContext acquiring;
        private final Observation acquire;
        private final @Nullable Observation parent;
        private @Nullable LockHoldContext holding;
        private @Nullable Observation hold;
        /** A loss that was told before the grant: it does not wait for a method that does not return. */
        private @Nullable LockEvent early;

        /** On the caller's thread. */
        Call(String lockName) {
            this.acquiring = new LockAcquireContext(lockName);
            this.parent = registry.getCurrentObservation();
            this.acquire = LockObservationDocumentation.ACQUIRE
                    .observation(acquireConvention, DEFAULT_ACQUIRE, () -> acquiring, registry)
                    .start();
        }

        synchronized void granted(LockEvent event) {
            try {
                ended(WaitOutcome.ofAcquired(event).text(), event);
            } finally {
                // Also where a convention or a handler of the call's own end fails.
                holds(event);
            }
            if (early != null) {
                lost(early);
            }
        }

        private void holds(LockEvent event) {
            LockHoldContext context = new LockHoldContext(event.name());
            context.told(event);
            holding = context;
            // Where the callback executor brings an observation of its own to this thread, that is not the parent.
            hold = LockObservationDocumentation.HOLD
                    .observation(holdConvention, DEFAULT_HOLD, () -> context, registry)
                    .parentObservation(parent)
                    .start();
        }

        synchronized void ended(String outcome, LockEvent event) {
            acquiring.ended(outcome, event);
            if (outcome.equals(WaitOutcome.ERROR.text())) {
                acquire.error(new ToldFailure(
                        event.name(),
                        "not acquired, " + acquiring.reason(),
                        event.detail().orElse("")));
            }
            acquire.stop();
        }

        synchronized void released(LockEvent event) {
            endHold("released", event);
        }

        synchronized void lost(LockEvent event) {
            if (holding == null) {
                early = event;
            } else if (hold != null) {
                hold.error(new ToldFailure(
                        event.name(),
                        "lost, " + event.lossReason().map(Words::of).orElse(LockObservationContext.NONE),
                        event.detail().orElse("")));
            }
            endHold("lost", event);
        }

        synchronized void renewalFailed() {
            if (hold != null) {
                hold.event(LockObservationDocumentation.Events.RENEWAL_FAILED);
            }
        }

        /** Once: a loss may be told beside a release that came before it. */
        private void endHold(String outcome, LockEvent event) {
            Observation ending = hold;
            if (ending != null && holding != null) {
                hold = null;
                holding.ended(outcome, event);
                ending.stop();
            }
        }
    }
}
