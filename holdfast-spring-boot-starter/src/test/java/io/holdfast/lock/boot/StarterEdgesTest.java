package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static io.holdfast.lock.boot.Starter.inMemory;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.InMemoryLocks;
import io.holdfast.lock.micrometer.LockMeters;
import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.Locked;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.samples.shop.Till;

/** Contexts that are put together otherwise than most: no method loses its lock by that, and no client is left behind. */
class StarterEdgesTest {

    /** To have no clients is no way to run methods without their locks. */
    @Test
    void switchedOffAMethodIsLockedByAClientOfTheUsersOrRefused() {
        alone().withPropertyValues("holdfast.enabled=false").withBean(Job.class).run(context -> assertThat(
                        context.getStartupFailure())
                .isNotNull()
                .hasStackTraceContaining("the LockClient beans are: none"));
        alone().withPropertyValues("holdfast.enabled=false")
                .withBean("mine", LockClient.class, InMemoryLocks::client)
                .withBean(Job.class)
                .run(context ->
                        assertThat(context.getBean(Job.class).isLocked()).isTrue());
    }

    /** Classes of the framework are passed over, and an application that began as one of its samples is none of them. */
    @Test
    void anApplicationAmongTheFrameworksSamplesIsLocked() {
        inMemory().withBean(Till.class).run(context -> assertThat(
                        context.getBean(Till.class).isLocked())
                .isTrue());
    }

    /** The named clients of a parent are no default candidates in its children either. */
    @Test
    void aChildTakesTheDefaultClientOfItsParent() {
        inMemory()
                .withPropertyValues("holdfast.url=memory:", "holdfast.clients.batch.url=memory:")
                .run(parent -> inMemory()
                        .withParent(parent)
                        .withBean(Job.class)
                        .withBean(OfBatch.class)
                        .run(child -> {
                            assertThat(child).hasNotFailed();
                            assertThat(child.getBean(Job.class).isLocked()).isTrue();
                            LockClient batch = parent.getBean("batchLockClient", LockClient.class);
                            assertThat(child.getBean(OfBatch.class).holdsOf(batch))
                                    .isOne();
                        }));
    }

    @Test
    void aClientThatItsWatcherRefusesIsClosed() {
        AtomicReference<LockClient> made = new AtomicReference<>();
        inMemory()
                .withBean(ClientWatcher.class, () -> client -> {
                    made.set(client);
                    throw new IllegalStateException("not to be watched");
                })
                .run(context -> assertThat(context).hasFailed());
        assertThat(made.get().isClosed()).isTrue();
    }

    @Test
    void aClientThatAPostProcessorRefusesIsClosed() {
        AtomicReference<LockClient> made = new AtomicReference<>();
        inMemory()
                .withBean(BeanPostProcessor.class, () -> new BeanPostProcessor() {
                    @Override
                    public Object postProcessAfterInitialization(Object bean, String beanName) {
                        if (bean instanceof LockClient client) {
                            made.set(client);
                            throw new IllegalStateException("not to be processed");
                        }
                        return bean;
                    }
                })
                .run(context -> assertThat(context).hasFailed());
        assertThat(made.get().isClosed()).isTrue();
    }

    /** None of them is the one for meters, and an application does not fail to start by that. */
    @Test
    void severalRegistriesOfWhichNoneIsPrimaryAreLeftAlone() {
        inMemory()
                .withBean("one", MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("two", MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockMeters.class));
        inMemory()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("one", ObservationRegistry.class, ObservationRegistry::create)
                .withBean("two", ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockMeters.class));
    }

    @Test
    void theEndpointTakesThePrimaryClientOfTheUsers() {
        inMemory()
                .withPropertyValues("management.endpoints.web.exposure.include=holdfast")
                .withBean("second", LockClient.class, InMemoryLocks::client)
                .withBean("first", LockClient.class, InMemoryLocks::client, bean -> bean.setPrimary(true))
                .run(context -> {
                    assertThat(context.getBean("first", LockClient.class)
                                    .getLock("a")
                                    .tryLock())
                            .isTrue();
                    assertThat(((LockView) context.getBean(HoldfastEndpoint.class)
                                            .look("a", null))
                                    .locked())
                            .isTrue();
                });
    }

    static class Job {

        @Locked("job")
        public boolean isLocked() {
            LockAssert.assertLocked("job");
            return true;
        }
    }

    static class OfBatch {

        @Locked(value = "report", client = "batch")
        public int holdsOf(LockClient client) {
            return client.holds().size();
        }
    }
}
