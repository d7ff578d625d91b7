package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.LockTemplate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;

/** What may be absent from an application is absent, one by one and all at once; all auto-configurations are asked. */
@Tag("proof")
class StarterAbsenceTest {

    private static final String ACTUATOR = "org.springframework.boot.actuate";
    private static final String HEALTH = "org.springframework.boot.health";
    private static final String METERS =
            "org.springframework.boot.micrometer,io.micrometer,io.holdfast.lock.micrometer";
    private static final String REDIS = "org.springframework.boot.data.redis,org.springframework.data,io.lettuce";
    private static final String TRANSACTIONS = "org.springframework.transaction";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing.at.all",
                ACTUATOR,
                HEALTH,
                METERS,
                "io.holdfast.lock.micrometer",
                REDIS,
                TRANSACTIONS,
                "reactor",
                ACTUATOR + "," + HEALTH + "," + METERS + "," + REDIS + "," + TRANSACTIONS + ",reactor"
            })
    void locksWorkWithout(String absent) {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(absent.split(",")))
                .withUserConfiguration(Application.class)
                .withPropertyValues("holdfast.memory=true", "management.endpoints.web.exposure.include=*")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LockClient.class);
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    assertThat(locks.<Boolean, RuntimeException>call("k", hold -> true))
                            .isTrue();
                });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(AllOfHoldfast.class)
    static class Application {}

    /** As Spring Boot selects what is in the file of imports, by class names before any class is loaded. */
    static class AllOfHoldfast extends AutoConfigurationImportSelector {

        @Override
        protected Class<?> getAnnotationClass() {
            return EnableAutoConfiguration.class;
        }

        @Override
        protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
            return new AnnotationAttributes(EnableAutoConfiguration.class);
        }

        @Override
        protected List<String> getCandidateConfigurations(
                AnnotationMetadata metadata, AnnotationAttributes attributes) {
            return super.getCandidateConfigurations(metadata, attributes).stream()
                    .filter(name -> name.startsWith("io.holdfast"))
                    .toList();
        }

        @Override
        protected Set<String> getExclusions(AnnotationMetadata metadata, AnnotationAttributes attributes) {
            return Set.of();
        }
    }
}
