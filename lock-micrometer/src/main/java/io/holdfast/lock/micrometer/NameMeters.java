package io.holdfast.lock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The timers of the locks that have one value of the tag, all there from the beginning: so their rates begin at zero. */
final class NameMeters {

    private final Map<WaitOutcome, Timer> waits = new EnumMap<>(WaitOutcome.class);
    private final Timer released;
    private final Timer lost;

    NameMeters(MeterRegistry registry, Tags tags) {
        for (WaitOutcome outcome : WaitOutcome.values()) {
            waits.put(
                    outcome,
                    Timer.builder(Names.WAIT)
                            .description("How long calls took to get a lock or to end without it")
                            .tags(tags.and(Names.OUTCOME, outcome.text()))
                            .register(registry));
        }
        released = hold(registry, tags, "released");
        lost = hold(registry, tags, "lost");
    }

    private static Timer hold(MeterRegistry registry, Tags tags, String outcome) {
        return Timer.builder(Names.HOLD)
                .description("How long locks were held")
                .tags(tags.and(Names.OUTCOME, outcome))
                .register(registry);
    }

    void waited(WaitOutcome outcome, Duration duration) {
        record(Objects.requireNonNull(waits.get(outcome)), duration);
    }

    void released(Duration duration) {
        record(released, duration);
    }

    void lost(Duration duration) {
        record(lost, duration);
    }

    static void record(Timer timer, Duration duration) {
        timer.record(duration.toNanos(), TimeUnit.NANOSECONDS);
    }
}
