package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.withMeters;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.micrometer.LockMeters;
import io.holdfast.lock.micrometer.LockNameTag;
import io.holdfast.lock.micrometer.LockObservations;
import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.spring.OnTimeout;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Meters and observations of an application with Spring Boot's registries. */
@Tag("proof")
class StarterMeterTest {

    @Test
    void clientsAreMeteredWithoutATagForTheirLocks() {
        withMeters().run(context -> {
            assertThat(context).hasSingleBean(LockMeters.class).hasSingleBean(LockObservations.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            try (LockHold hold =
                    context.getBean(LockClient.class).getLock("order:4711").acquire()) {
                assertThat(registry.get("holdfast.lock.active").gauge().value()).isOne();
            }
            await().until(() -> waits(registry).stream().anyMatch(wait -> wait.count() == 1));
            assertThat(waits(registry)).allMatch(wait -> wait.getId().getTag("lock") == null);
        });
    }

    @Test
    void thePropertyChoosesTheTag() {
        withMeters().withPropertyValues("holdfast.metrics.lock-tag=masked").run(context -> {
            assertThat(context.getBean(LockClient.class).getLock("order:4711").tryLock())
                    .isTrue();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().until(() -> waits(registry).stream()
                    .anyMatch(wait -> "order:*".equals(wait.getId().getTag("lock"))));
        });
        withMeters()
                .withPropertyValues("holdfast.metrics.lock-tag=exact", "holdfast.metrics.lock-names=stock,report")
                .run(context -> assertThat(waits(context.getBean(MeterRegistry.class)))
                        .extracting(wait -> wait.getId().getTag("lock"))
                        .contains("stock", "report"));
    }

    @Test
    void aTagAmongTheBeansGoesBefore() {
        withMeters()
                .withBean(LockNameTag.class, () -> LockNameTag.exact("mine"))
                .withPropertyValues("holdfast.metrics.lock-tag=masked")
                .run(context -> assertThat(waits(context.getBean(MeterRegistry.class)))
                        .extracting(wait -> wait.getId().getTag("lock"))
                        .contains("mine"));
    }

    @Test
    void callsAreObservedAndTheirMetersAreNotDoubled() {
        List<String> observed = new CopyOnWriteArrayList<>();
        withMeters()
                .withBean(ObservationHandler.class, () -> new ObservationHandler<Observation.Context>() {
                    @Override
                    public void onStop(Observation.Context stopped) {
                        observed.add(stopped.getName());
                    }

                    @Override
                    public boolean supportsContext(Observation.Context any) {
                        return true;
                    }
                })
                .run(context -> {
                    context.getBean(LockClient.class).getLock("a").acquire().close();
                    await().until(() -> observed.containsAll(List.of("holdfast.lock.acquire", "holdfast.lock.hold")));
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.find("holdfast.lock.acquire").meters()).isEmpty();
                    assertThat(registry.get("holdfast.lock.hold").timers())
                            .allMatch(timer -> timer.getId().getTag("error") == null);
                });
    }

    @Test
    void skippedCallsAreCounted() {
        withMeters().withBean(Job.class).run(context -> {
            try (LockHold other =
                    context.getBean(LockClient.class).getLock("job").acquire()) {
                context.getBean(Job.class).run();
                context.getBean(Job.class).run();
            }
            assertThat(context.getBean(MeterRegistry.class)
                            .get("holdfast.locked.skipped")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
        });
    }

    private static List<Timer> waits(MeterRegistry registry) {
        return List.copyOf(registry.find("holdfast.lock.wait").timers());
    }

    static class Job {

        @Locked(value = "job", waitFor = "0s", onTimeout = OnTimeout.SKIP)
        public void run() {}
    }
}
