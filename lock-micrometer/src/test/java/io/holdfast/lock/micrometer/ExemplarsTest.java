package io.holdfast.lock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Clock;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Exemplars name the trace of the call, though a thread of the client's records it. */
@Tag("proof")
@Tag("once")
class ExemplarsTest {

    private final ThreadLocal<String> trace = new ThreadLocal<>();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new Spans());

    @Test
    void nameTheCallersTrace() {
        observations.observationConfig().observationHandler(new Tracer());
        LockMeters meters = LockMeters.of(registry, LockNameTag.none(), observations);
        Observation caller = Observation.start("caller", observations);
        Object context;
        try (Observation.Scope inside = caller.openScope()) {
            context = meters.started("stock");
        }
        caller.stop();
        meters.acquired(TestEvent.of("stock", 5).with(context));
        meters.released(TestEvent.of("stock", 5));
        assertThat(registry.scrape("application/openmetrics-text"))
                .containsPattern("holdfast_lock_wait_seconds_count\\{outcome=\"granted\"} 1 # \\{.*trace_id=\"caller\"")
                .containsPattern("holdfast_lock_hold_seconds_count\\{outcome=\"released\"} 1\n");
        assertThat(trace.get()).isNull();
    }

    /** The name of the observation in whose scope the thread is, as its trace. */
    private final class Tracer implements ObservationHandler<Observation.Context> {

        @Override
        public void onScopeOpened(Observation.Context context) {
            trace.set(context.getName());
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            trace.remove();
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private final class Spans implements SpanContext {

        @Override
        public String getCurrentTraceId() {
            return trace.get();
        }

        @Override
        public String getCurrentSpanId() {
            return trace.get() == null ? null : "span";
        }

        @Override
        public boolean isCurrentSpanSampled() {
            return true;
        }

        @Override
        public void markCurrentSpanAsExemplar() {}
    }
}
