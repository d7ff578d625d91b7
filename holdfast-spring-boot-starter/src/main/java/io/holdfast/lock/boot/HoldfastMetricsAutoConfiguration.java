package io.holdfast.lock.boot;

import io.holdfast.lock.micrometer.LockMeters;
import io.holdfast.lock.micrometer.LockNameTag;
import io.holdfast.lock.micrometer.LockObservations;
import io.holdfast.lock.spring.SkippedCalls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Meters and observations, where {@code lock-micrometer} is there and the application has a registry for them. */
@AutoConfiguration(
        before = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            // Where Spring Boot 3.5 has them.
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@ConditionalOnClass({LockMeters.class, MeterRegistry.class, ObservationRegistry.class})
@Import({HoldfastMetricsAutoConfiguration.Meters.class, HoldfastMetricsAutoConfiguration.Observations.class})
public final class HoldfastMetricsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        LockMeters holdfastLockMeters(
                MeterRegistry registry,
                HoldfastProperties properties,
                ObjectProvider<LockNameTag> tag,
                ObjectProvider<ObservationRegistry> observations) {
            LockNameTag chosen = tag.getIfAvailable(() -> tag(properties.getMetrics()));
            ObservationRegistry scopes = observations.getIfUnique();
            return scopes == null ? LockMeters.of(registry, chosen) : LockMeters.of(registry, chosen, scopes);
        }

        @Bean
        ClientWatcher holdfastMeteredClients(LockMeters meters) {
            return meters::watch;
        }

        /** How many calls of locked methods were skipped. */
        @Bean
        MeterBinder holdfastSkippedMeters(ObjectProvider<SkippedCalls> skipped) {
            return registry -> skipped.ifAvailable(calls -> FunctionCounter.builder(
                            "holdfast.locked.skipped", calls, SkippedCalls::count)
                    .description("Calls of locked methods that were skipped, because the lock was not granted in time")
                    .register(registry));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(ObservationRegistry.class)
    static class Observations {

        @Bean
        @ConditionalOnMissingBean
        LockObservations holdfastLockObservations(ObservationRegistry registry) {
            return LockObservations.of(registry);
        }

        /** The meters are those of {@link LockMeters}, and no second ones of the same name. */
        @Bean
        MeterFilter holdfastObservationsWithoutMeters() {
            return LockObservations.withoutMeters();
        }
    }

    private static LockNameTag tag(@Nullable MetricsProperties metrics) {
        if (metrics == null || metrics.lockTag() == null) {
            return LockNameTag.none();
        }
        return switch (metrics.lockTag()) {
            case NONE -> LockNameTag.none();
            case EXACT -> LockNameTag.exact(Objects.requireNonNullElse(metrics.lockNames(), List.of()));
            case MASKED -> LockNameTag.masked();
        };
    }
}
