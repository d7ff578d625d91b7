package io.holdfast.lock.micrometer;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of what clients do. It is a listener for the options of clients, and {@link #watch} adds what only a look at a client can
 * tell:
 *
 * <pre>{@code
 * LockMeters meters = LockMeters.of(registry);
 * ClientOptions options = ClientOptions.builder()
 *         .lockOptions(LockOptions.builder().listener(meters).build())
 *         .build();
 * LockClient client = meters.watch(LockClient.connect("redis://127.0.0.1:6379", options));
 * }</pre>
 *
 * <p>One serves any number of clients; and several of one registry share their meters, whose values are sums. Meters whose tags are
 * known are registered with zero at once. {@code docs/metrics.md} lists all.
 */
public final class LockMeters implements LockListener {

    private final MeterRegistry registry;
    private final LockNames names;
    private final LockGauges locks;
    private final ConnectionGauges connections;
    private final Map<String, NameMeters> byName = new ConcurrentHashMap<>();
    private final Map<LossReason, Counter> losses = new EnumMap<>(LossReason.class);
    private final Timer renewed;
    private final Timer renewalFailed;
    private final Counter missed;
    private final @Nullable ObservationRegistry observations;

    private LockMeters(MeterRegistry registry, LockNameTag tag, @Nullable ObservationRegistry observations) {
        RegistryGauges gauges = RegistryGauges.of(registry);
        this.registry = registry;
        this.observations = observations;
        this.locks = gauges.locks(registry, tag);
        this.names = locks.names();
        this.connections = gauges.connections();
        for (LossReason reason : LossReason.values()) {
            losses.put(
                    reason,
                    Counter.builder(Names.LOST)
                            .description("Holds that were lost")
                            .tag(Names.REASON, Words.of(reason))
                            .register(registry));
        }
        this.renewed = renewal("renewed");
        this.renewalFailed = renewal("failed");
        this.missed = Counter.builder(Names.MISSED)
                .description("Events that these meters have missed")
                .register(registry);
        names.known().forEach(this::metersOf);
    }

    /** Meters in this registry, without the tag {@code lock}. */
    public static LockMeters of(MeterRegistry registry) {
        return of(registry, LockNameTag.none());
    }

    /** Meters in this registry, with this tag {@code lock}. */
    public static LockMeters of(MeterRegistry registry, LockNameTag tag) {
        return new LockMeters(Objects.requireNonNull(registry, "registry"), Objects.requireNonNull(tag, "tag"), null);
    }

    /**
     * Meters in this registry, with this tag {@code lock}. What a call brings about is recorded in the scope of the observation that
     * the caller's thread was in, so that exemplars name the caller's trace; without these observations they name none.
     */
    public static LockMeters of(MeterRegistry registry, LockNameTag tag, ObservationRegistry observations) {
        return new LockMeters(
                Objects.requireNonNull(registry, "registry"),
                Objects.requireNonNull(tag, "tag"),
                Objects.requireNonNull(observations, "observations"));
    }

    /**
     * Adds this client to the gauges, until it is closed: its holds, its waiting calls and its connections. To add it again changes
     * nothing, and no client is kept alive by this.
     *
     * @return the client
     */
    public LockClient watch(LockClient client) {
        locks.clients().add(client);
        locks.refresh();
        connections.clients().add(client);
        connections.refresh();
        return client;
    }

    /** Takes a client out of the gauges before it is closed. */
    public void forget(LockClient client) {
        locks.clients().remove(client);
        connections.clients().remove(client);
        connections.refresh();
    }

    private Timer renewal(String outcome) {
        return Timer.builder(Names.RENEWAL)
                .description("How long renewals took")
                .tag(Names.OUTCOME, outcome)
                .register(registry);
    }

    private NameMeters metersOf(LockEvent event) {
        return metersOf(names.valueOf(event.name()));
    }

    private NameMeters metersOf(String value) {
        NameMeters there = byName.get(value);
        return there != null
                ? there
                : byName.computeIfAbsent(value, absent -> {
                    locks.known(absent);
                    return new NameMeters(registry, names.tags(absent));
                });
    }

    /** Records it where exemplars find the caller's trace, if they are to. */
    private static void inScope(LockEvent event, Consumer<LockEvent> recording) {
        if (event.context() instanceof Observation caller) {
            Observation.Scope scope = caller.openScope();
            try {
                recording.accept(event);
            } finally {
                scope.close();
            }
        } else {
            recording.accept(event);
        }
    }

    @Override
    public @Nullable Object started(String lockName) {
        return observations == null ? null : observations.getCurrentObservation();
    }

    @Override
    public void acquired(LockEvent event) {
        inScope(event, got -> metersOf(got).waited(WaitOutcome.ofAcquired(got), got.duration()));
    }

    @Override
    public void refused(LockEvent event) {
        inScope(event, ended -> metersOf(ended).waited(WaitOutcome.ofRefused(ended), ended.duration()));
    }

    @Override
    public void transferred(LockEvent event) {
        released(event);
    }

    @Override
    public void released(LockEvent event) {
        inScope(event, ended -> metersOf(ended).released(ended.duration()));
    }

    @Override
    public void renewed(LockEvent event) {
        NameMeters.record(renewed, event.duration());
    }

    @Override
    public void renewalFailed(LockEvent event) {
        NameMeters.record(renewalFailed, event.duration());
    }

    @Override
    public void lost(LockEvent event) {
        event.lossReason().map(losses::get).ifPresent(Counter::increment);
        inScope(event, ended -> metersOf(ended).lost(ended.duration()));
    }

    @Override
    public void connection(ConnectionEvent event) {
        connections.counters().told(event);
        connections.refresh();
    }

    @Override
    public void missed(long events) {
        missed.increment((double) events);
    }

    @Override
    public String toString() {
        return "LockMeters";
    }
}
