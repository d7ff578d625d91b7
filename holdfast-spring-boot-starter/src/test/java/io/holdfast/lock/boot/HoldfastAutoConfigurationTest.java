package io.holdfast.lock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.spring.LockTemplate;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the starter puts into a context, without a server: which clients there are, what is refused, what goes at the end. */
class HoldfastAutoConfigurationTest {

    private final ApplicationContextRunner starter = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastLockedAutoConfiguration.class,
                    HoldfastHealthAutoConfiguration.class,
                    HoldfastEndpointAutoConfiguration.class,
                    HoldfastMetricsAutoConfiguration.class));
    private final ApplicationContextRunner inMemory = starter.withPropertyValues("holdfast.memory=true");

    @Test
    void thereIsAClientAndATemplateThatWork() {
        inMemory.run(context -> {
            assertThat(context).hasSingleBean(LockClient.class).hasSingleBean(LockTemplate.class);
            assertThat(context.getBean(LockClient.class).getLock("order:1").tryLock())
                    .isTrue();
        });
    }

    @Test
    void aClientOfTheUsersGoesBefore() {
        starter.withUserConfiguration(OwnClient.class).run(context -> assertThat(context)
                .hasNotFailed()
                .getBeanNames(LockClient.class)
                .containsExactly("mine"));
    }

    @Test
    void namedClientsAreInjectedByTheirNameOnly() {
        inMemory.withPropertyValues("holdfast.url=memory:", "holdfast.clients.batch.lock.prefix=nightly")
                .withUserConfiguration(Both.class)
                .run(context -> {
                    LockClient[] both = context.getBean("both", LockClient[].class);
                    assertThat(both[0]).isSameAs(context.getBean("lockClient"));
                    assertThat(both[1]).isSameAs(context.getBean("batchLockClient"));
                    assertThat(both[0]).isNotSameAs(both[1]);
                });
    }

    @Test
    void aMisspeltPropertyIsRefusedWithTheNearest() {
        inMemory.withPropertyValues("holdfast.comand-timeout=1s").run(context -> {
            FailureAnalysis told = told(new UnknownPropertyFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription())
                    .contains("holdfast.comand-timeout")
                    .contains("holdfast.command-timeout");
        });
        assertThat(UnknownPropertyFailureAnalyzer.nearest("holdfast.clients.batch.ull"))
                .isEqualTo("holdfast.clients.batch.url");
        assertThat(UnknownPropertyFailureAnalyzer.nearest("holdfast.tls.trust-sotre"))
                .isEqualTo("holdfast.tls.trust-store");
    }

    @Test
    void aValueOutOfRangeIsRefusedByThePropertysName() {
        inMemory.withPropertyValues("holdfast.lock.watchdog-lease=5ms").run(context -> {
            FailureAnalysis told = told(new ConfigurationFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription())
                    .contains("property holdfast.lock.watchdog-lease")
                    .contains("5 ms");
        });
    }

    @Test
    void noAddressIsToldWithWhatWouldDo() {
        starter.run(context -> {
            FailureAnalysis told = told(new ConfigurationFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains("there is no address");
            assertThat(told.getAction()).contains("holdfast.url");
        });
    }

    @Test
    void twoConnectionDetailsAreRefused() {
        starter.withBean("one", HoldfastConnectionDetails.class, () -> () -> "redis://a")
                .withBean("two", HoldfastConnectionDetails.class, () -> () -> "redis://b")
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("several connection details")
                        .contains("one")
                        .contains("two"));
    }

    @Test
    void switchedOffThereIsNothing() {
        starter.withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockClient.class));
    }

    @Test
    void clientsGoWhenTheContextCloses() {
        LockClient[] client = new LockClient[1];
        inMemory.run(context -> {
            client[0] = context.getBean(LockClient.class);
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();
            assertThat(client[0].isClosed()).isFalse();
        });
        assertThat(client[0].isClosed()).isTrue();
    }

    @Test
    void whatMayBeAbsentIsAbsentAllAtOnce() {
        inMemory.withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.data",
                        "org.springframework.data",
                        "org.springframework.transaction",
                        "io.micrometer",
                        "io.holdfast.lock.micrometer",
                        "reactor"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockClient.class));
    }

    @Test
    void theEndpointShowsHoldsAndTakesAnyName() {
        inMemory.run(context -> {
            LockClient client = context.getBean(LockClient.class);
            HoldfastEndpoint endpoint = new HoldfastEndpoint(context.getSourceApplicationContext(
                            org.springframework.context.support.GenericApplicationContext.class)
                    .getBeanFactory());
            try (LockHold hold = client.getLock("../etc/passwd").acquire()) {
                assertThat(endpoint.own().get("lockClient").holds())
                        .singleElement()
                        .satisfies(held -> assertThat(held.name()).isEqualTo("../etc/passwd"));
                assertThat(endpoint.inspect(new String[] {"..", "etc", "passwd"}, null)
                                .locked())
                        .isTrue();
                assertThat(endpoint.free(new String[] {"..", "etc", "passwd"}, null)
                                .wasHeld())
                        .isTrue();
            }
        });
    }

    /** Each option that has a text has its property, and the metadata say what it is. */
    @Test
    void everyOptionHasItsProperty() throws Exception {
        var names = Class.forName("io.holdfast.lock.options.OptionTable").getDeclaredMethod("names");
        names.setAccessible(true);
        for (Object option : (Iterable<?>) names.invoke(null)) {
            String dashed =
                    option.toString().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
            String property = dashed.equals("address") ? "url" : dashed;
            assertThat(PropertyNames.OF_A_CLIENT)
                    .anyMatch(name -> name.equals(property) || name.startsWith(property + "."));
        }
    }

    @Test
    void redisDetailsBecomeAddresses() {
        DataRedisConnectionDetails details = new DataRedisConnectionDetails() {
            @Override
            public Sentinel getSentinel() {
                return sentinel();
            }
        };
        assertThat(new RedisConnectionDetails(details).url()).isEqualTo("redis-sentinel://s1:26379,[::1]:26380/main/3");
    }

    private static DataRedisConnectionDetails.Sentinel sentinel() {
        return new DataRedisConnectionDetails.Sentinel() {
            @Override
            public int getDatabase() {
                return 3;
            }

            @Override
            public String getMaster() {
                return "main";
            }

            @Override
            public java.util.List<DataRedisConnectionDetails.Node> getNodes() {
                return java.util.List.of(
                        new DataRedisConnectionDetails.Node("s1", 26379),
                        new DataRedisConnectionDetails.Node("::1", 26380));
            }

            @Override
            public String getUsername() {
                return null;
            }

            @Override
            public String getPassword() {
                return null;
            }
        };
    }

    private static FailureAnalysis told(FailureAnalyzer analyzer, Throwable failure) {
        assertThat(failure).isNotNull();
        FailureAnalysis told = analyzer.analyze(failure);
        assertThat(told).as("an analysis of %s", failure).isNotNull();
        return told;
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {

        @Bean
        LockClient mine() {
            return io.holdfast.lock.memory.InMemoryLocks.client();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Both {

        @Bean
        LockClient[] both(
                LockClient any, @org.springframework.beans.factory.annotation.Qualifier("batch") LockClient batch) {
            return new LockClient[] {any, batch};
        }
    }
}
