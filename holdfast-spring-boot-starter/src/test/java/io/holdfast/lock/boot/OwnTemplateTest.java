package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.EnableLocks;
import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.spring.Locked;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A template of the application's own takes the place of the starter's, and takes nothing else away. */
class OwnTemplateTest {

    private final ApplicationContextRunner inMemory = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HoldfastAutoConfiguration.class, HoldfastLockedAutoConfiguration.class))
            .withPropertyValues("holdfast.memory=true");

    static class Job {

        @Locked("job")
        public void run() {
            LockAssert.assertLocked("job");
        }
    }

    static class Uses {

        private final LockTemplate locks;

        Uses(LockTemplate locks) {
            this.locks = locks;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Job job() {
            return new Job();
        }

        @Bean
        Uses uses(LockTemplate locks) {
            return new Uses(locks);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTemplate {

        @Bean
        LockTemplate patient(LockClient client) {
            return new LockTemplate(client, Duration.ofMinutes(1));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks
    static class Enabled {}

    @Test
    void methodsAreLockedBesideIt() {
        inMemory.withUserConfiguration(Application.class, WithTemplate.class).run(context -> {
            context.getBean(Job.class).run();
            assertThat(context.getBean(Uses.class).locks).isSameAs(context.getBean("patient"));
        });
    }

    @Test
    void theUsualWaitIsWrittenAsSpringBootWantsIt() {
        for (String written : List.of("10s", "5m", "500ms", "PT10S")) {
            inMemory.withUserConfiguration(Application.class)
                    .withPropertyValues("holdfast.locked.wait=" + written)
                    .run(context -> context.getBean(Job.class).run());
        }
    }

    @Test
    void toEnableThemOnceMoreDoesNothing() {
        inMemory.withUserConfiguration(Application.class, Enabled.class).run(context -> {
            context.getBean(Job.class).run();
            assertThat(context).hasSingleBean(LockTemplate.class);
        });
    }
}
