package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts with the starter, and what the tests of it share. */
final class Starter {

    private Starter() {}

    /** The starter and nothing else. */
    static ApplicationContextRunner alone() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastAutoConfiguration.class,
                        HoldfastLockedAutoConfiguration.class,
                        HoldfastHealthAutoConfiguration.class,
                        HoldfastEndpointAutoConfiguration.class,
                        HoldfastMetricsAutoConfiguration.class));
    }

    /** The same, with locks in memory. */
    static ApplicationContextRunner inMemory() {
        return alone().withPropertyValues("holdfast.memory=true");
    }

    /** With what Spring Boot knows of Redis and of SSL bundles. */
    static ApplicationContextRunner withRedis() {
        return alone().withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, SslAutoConfiguration.class));
    }

    /** In memory, with registries for meters and observations. */
    static ApplicationContextRunner withMeters() {
        return inMemory()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        ObservationAutoConfiguration.class));
    }

    static FailureAnalysis told(FailureAnalyzer analyzer, Throwable failure) {
        assertThat(failure).isNotNull();
        FailureAnalysis told = analyzer.analyze(failure);
        assertThat(told).as("an analysis of %s", failure).isNotNull();
        return told;
    }

    /** The threads of this process that belong to clients, by name. */
    static Set<String> threads() {
        Set<String> names = new TreeSet<>();
        Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast"))
                .forEach(names::add);
        return names;
    }
}
