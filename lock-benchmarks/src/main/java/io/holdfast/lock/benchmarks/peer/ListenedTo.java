package io.holdfast.lock.benchmarks.peer;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.micrometer.LockMeters;
import io.holdfast.lock.micrometer.LockObservations;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Listeners whose cost is measured. */
final class ListenedTo {

    private ListenedTo() {}

    static LockListener meters() {
        return LockMeters.of(new SimpleMeterRegistry());
    }

    static LockListener spans() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new Spans());
        return LockObservations.of(registry);
    }

    /** What a tracer does at least: an identity, two times and the key values for each observation; none is sent. */
    private static final class Spans implements ObservationHandler<Observation.Context> {

        private record Span(long id, long startNanos) {}

        private final LongAdder ended = new LongAdder();

        @Override
        public void onStart(Observation.Context context) {
            context.put(Span.class, new Span(ThreadLocalRandom.current().nextLong(), System.nanoTime()));
        }

        @Override
        public void onStop(Observation.Context context) {
            Span span = context.getRequired(Span.class);
            int values = 0;
            for (var value : context.getAllKeyValues()) {
                values += value.getValue().length();
            }
            if (span.startNanos() + values != span.id()) {
                ended.increment();
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
