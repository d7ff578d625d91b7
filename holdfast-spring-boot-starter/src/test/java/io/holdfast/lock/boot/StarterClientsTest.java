package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static io.holdfast.lock.boot.Starter.inMemory;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.memory.InMemoryLocks;
import io.holdfast.lock.spring.LockTemplate;
import io.holdfast.lock.spring.Locked;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which clients the starter puts into a context, and when they go. */
class StarterClientsTest {

    @Test
    void thereIsAClientAndATemplateThatWork() {
        inMemory().run(context -> {
            assertThat(context).hasSingleBean(LockClient.class).hasSingleBean(LockTemplate.class);
            assertThat(context.getBean(LockClient.class).getLock("order:1").tryLock())
                    .isTrue();
        });
    }

    @Test
    void aClientOfTheUsersGoesBefore() {
        alone().withUserConfiguration(OwnClient.class).run(context -> assertThat(context)
                .hasNotFailed()
                .getBeanNames(LockClient.class)
                .containsExactly("mine"));
    }

    @Test
    void namedClientsAreInjectedByTheirNameOnly() {
        inMemory()
                .withPropertyValues("holdfast.url=memory:", "holdfast.clients.batch.lock.prefix=nightly")
                .withUserConfiguration(Both.class)
                .run(context -> {
                    LockClient[] both = context.getBean("both", LockClient[].class);
                    assertThat(both[0]).isSameAs(context.getBean("lockClient"));
                    assertThat(both[1]).isSameAs(context.getBean("batchLockClient"));
                    assertThat(both[0]).isNotSameAs(both[1]);
                });
    }

    @Test
    void aLockedMethodChoosesItsClientByTheQualifier() {
        inMemory()
                .withPropertyValues("holdfast.url=memory:", "holdfast.clients.batch.url=memory:")
                .withBean(Nightly.class)
                .run(context -> {
                    Map<String, Boolean> held = context.getBean(Nightly.class).run();
                    assertThat(held).containsEntry("batchLockClient", true).containsEntry("lockClient", false);
                });
    }

    @Test
    void withNamedClientsOnlyThereIsNoOther() {
        alone().withPropertyValues("holdfast.clients.batch.url=memory:", "holdfast.clients.web.url=memory:")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBeanNames(LockClient.class)
                        .containsExactlyInAnyOrder("batchLockClient", "webLockClient"));
    }

    @Test
    void switchedOffThereIsNoClient() {
        alone().withPropertyValues("holdfast.enabled=false").run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(LockClient.class)
                .doesNotHaveBean(HoldfastEndpoint.class));
    }

    @Test
    void optionsArriveAndACustomizerHasTheLastWord() {
        Map<String, ClientOptions> seen = new ConcurrentHashMap<>();
        inMemory()
                .withPropertyValues(
                        "spring.application.name=shop",
                        "holdfast.url=memory:",
                        "holdfast.lock.prefix=orders",
                        "holdfast.lock.key-scheme=redisson",
                        "holdfast.queue-limit=17",
                        "holdfast.clients.batch.application-name=nightly")
                .withBean(HoldfastClientCustomizer.class, () -> (client, options) -> {
                    seen.put(client, options.build());
                    options.clientName("customized");
                })
                .run(context -> {
                    ClientOptions told = seen.get(HoldfastClientCustomizer.DEFAULT_CLIENT);
                    assertThat(told.applicationName()).contains("shop");
                    assertThat(told.queueLimit()).isEqualTo(17);
                    assertThat(told.lockOptions().prefix()).isEqualTo("orders");
                    assertThat(told.lockOptions().keyScheme()).hasToString("REDISSON");
                    assertThat(seen.get("batch").applicationName()).contains("nightly");
                });
    }

    @Test
    void allListenersAmongTheBeansHear() {
        CountDownLatch heard = new CountDownLatch(2);
        inMemory()
                .withBean("one", LockListener.class, () -> counting(heard))
                .withBean("two", LockListener.class, () -> counting(heard))
                .run(context -> {
                    assertThat(context.getBean(LockClient.class).getLock("a").tryLock())
                            .isTrue();
                    assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
                });
    }

    private static LockListener counting(CountDownLatch heard) {
        return new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                heard.countDown();
            }
        };
    }

    @Test
    void aContextThatIsStoppedAndStartedKeepsItsLocks() {
        LockClient[] client = new LockClient[1];
        inMemory().run(context -> {
            client[0] = context.getBean(LockClient.class);
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();
            assertThat(client[0].isClosed()).isFalse();
        });
        assertThat(client[0].isClosed()).isTrue();
    }

    @Test
    void clientsOfAContextThatDoesNotStartAreClosed() {
        LockClient[] client = new LockClient[1];
        inMemory()
                .withBean(ClientWatcher.class, () -> made -> client[0] = made)
                .withBean(Failing.class)
                .run(context -> assertThat(context).hasFailed());
        assertThat(client[0].isClosed()).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean
        LockClient mine() {
            return InMemoryLocks.client();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Both {

        @Bean
        LockClient[] both(LockClient any, @Qualifier("batch") LockClient batch) {
            return new LockClient[] {any, batch};
        }
    }

    static class Nightly {

        private final Map<String, LockClient> clients;

        Nightly(Map<String, LockClient> clients, @Qualifier("batch") LockClient batch) {
            this.clients = Map.of("lockClient", clients.get("lockClient"), "batchLockClient", batch);
        }

        @Locked(value = "report", client = "batch")
        public Map<String, Boolean> run() {
            Map<String, Boolean> held = new ConcurrentHashMap<>();
            clients.forEach((name, client) -> held.put(
                    name, client.holds().stream().anyMatch(hold -> hold.name().equals("report"))));
            return held;
        }
    }

    /** Fields of a class that is proxied are those of the target. */
    @Test
    void aHoldIsInjected() {
        inMemory().withBean(Told.class).run(context -> assertThat(
                        context.getBean(Told.class).token(null))
                .isPositive());
    }

    static class Failing {

        Failing(LockClient client) {
            throw new IllegalStateException("does not start");
        }
    }

    static class Told {

        @Locked("told")
        public long token(LockHold hold) {
            return hold.fencingToken();
        }
    }
}
