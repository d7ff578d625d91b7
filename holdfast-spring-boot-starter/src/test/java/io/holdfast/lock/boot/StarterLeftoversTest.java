package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.Scope;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Contexts come and go in one JVM, and no thread of a client is left behind. */
@RedisTest
@Tag("proof")
class StarterLeftoversTest {

    private Set<String> before;
    private ApplicationContextRunner starter;

    @BeforeEach
    void look(RedisServer redis) {
        before = Starter.threads();
        starter = Starter.alone().withPropertyValues("holdfast.url=" + redis.url());
    }

    @AfterEach
    void nothingIsLeft() {
        await().untilAsserted(() -> assertThat(Starter.threads()).isEqualTo(before));
    }

    @Test
    void lazyBeansConnectWhenTheyAreWanted() {
        ApplicationContextRunner lazy = starter.withInitializer(context -> context.addBeanFactoryPostProcessor(
                new org.springframework.boot.LazyInitializationBeanFactoryPostProcessor()));
        lazy.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(Starter.threads()).isEqualTo(before);
        });
        lazy.run(context -> {
            assertThat(context.getBean(LockClient.class).getLock("a").tryLock()).isTrue();
            assertThat(Starter.threads()).isNotEqualTo(before);
        });
    }

    @Test
    void aClientOfARefreshedScopeIsClosedAndMadeAgain() {
        RefreshedScope scope = new RefreshedScope();
        starter.withInitializer(context -> context.getBeanFactory().registerScope("refreshed", scope))
                .withBean(InScope.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    locks.run("a", hold -> {});
                    LockClient first = (LockClient) scope.beans.get("scopedTarget.lockClient");
                    scope.refresh();
                    assertThat(first.isClosed()).isTrue();
                    locks.run("a", hold -> {});
                    LockClient second = (LockClient) scope.beans.get("scopedTarget.lockClient");
                    assertThat(second).isNotSameAs(first);
                    assertThat(second.isClosed()).isFalse();
                });
    }

    @Test
    void contextsBesideEachOtherHaveClientsOfTheirOwn() {
        IntStream.range(0, 4)
                .parallel()
                .forEach(number -> starter.run(context -> {
                    LockClient client = context.getBean(LockClient.class);
                    client.runLocked("shared", java.time.Duration.ofSeconds(20), hold -> {});
                    assertThat(client.isClosed()).isFalse();
                }));
    }

    @Test
    void aContextThatFailsLateLeavesNothing() {
        starter.withBean(Failing.class).run(context -> assertThat(context).hasFailed());
    }

    static class Failing {

        Failing(LockClient client) {
            client.getLock("a").lock();
            throw new IllegalStateException("does not start");
        }
    }

    /** Puts the client of the starter into a scope, as Spring Cloud does with what it shall refresh. */
    static class InScope implements BeanDefinitionRegistryPostProcessor {

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            BeanDefinition client = registry.getBeanDefinition("lockClient");
            client.setScope("refreshed");
            BeanDefinitionHolder proxy =
                    ScopedProxyUtils.createScopedProxy(new BeanDefinitionHolder(client, "lockClient"), registry, true);
            registry.removeBeanDefinition("lockClient");
            registry.registerBeanDefinition("lockClient", proxy.getBeanDefinition());
        }
    }

    static class RefreshedScope implements Scope {

        final Map<String, Object> beans = new HashMap<>();
        private final Map<String, Runnable> ends = new HashMap<>();

        void refresh() {
            beans.clear();
            List<Runnable> all = List.copyOf(ends.values());
            ends.clear();
            all.forEach(Runnable::run);
        }

        @Override
        public Object get(String name, ObjectFactory<?> factory) {
            Object there = beans.get(name);
            if (there == null) {
                there = factory.getObject();
                beans.put(name, there);
            }
            return there;
        }

        @Override
        public Object remove(String name) {
            ends.remove(name);
            return beans.remove(name);
        }

        @Override
        public void registerDestructionCallback(String name, Runnable callback) {
            ends.put(name, callback);
        }
    }
}
