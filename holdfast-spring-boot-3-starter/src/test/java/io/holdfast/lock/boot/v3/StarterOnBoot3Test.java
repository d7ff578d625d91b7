package io.holdfast.lock.boot.v3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.boot.HoldfastConnectionDetails;
import io.holdfast.lock.micrometer.LockObservations;
import io.holdfast.lock.spring.LockAssert;
import io.holdfast.lock.spring.Locked;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.TlsMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.health.HealthContributorRegistry;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A whole application on Spring Boot 3.5, with the Netty that it manages. */
@Timeout(60)
class StarterOnBoot3Test {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void runsOnWhatBoot3Manages() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(Version.identify().get("netty-transport").artifactVersion()).startsWith("4.1.");
        assertThat(MeterRegistry.class.getPackage().getImplementationVersion()).startsWith("1.15.");
    }

    @Test
    void locksByAnnotation() {
        application().withPropertyValues("holdfast.url=" + redis.url()).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Till.class).sell("7", null)).isPositive();
        });
    }

    @Test
    void healthGoesByTheStore() {
        try (RedisServer own = RedisServer.start()) {
            application().withPropertyValues("holdfast.url=" + own.url()).run(context -> {
                HealthIndicator health = (HealthIndicator)
                        context.getBean(HealthContributorRegistry.class).getContributor("holdfast");
                assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                assertThat(health.health().getDetails()).containsKeys("nodes", "roundTrip");
                own.kill();
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> health.health().getStatus().equals(Status.DOWN));
            });
        }
    }

    @Test
    void metersAndTheEndpointAreThere() {
        application()
                .withPropertyValues("holdfast.url=" + redis.url(), "management.endpoints.web.exposure.include=holdfast")
                .run(context -> {
                    context.getBean(Till.class).sell("8", null);
                    assertThat(context).hasBean("holdfastEndpoint").hasSingleBean(LockObservations.class);
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    await().until(() -> meters.getMeters().stream()
                            .anyMatch(meter -> meter.getId().getName().startsWith("holdfast.")));
                });
    }

    @Test
    void takesTheConnectionOfSpringData() {
        application()
                .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .run(context -> {
                    assertThat(context.getBean(HoldfastConnectionDetails.class).url())
                            .isEqualTo("redis://127.0.0.1:" + redis.port());
                    assertThat(context.getBean(Till.class).sell("9", null)).isPositive();
                });
    }

    @Test
    void namesTheCluster() {
        application()
                .withPropertyValues("holdfast.memory=true", "spring.data.redis.cluster.nodes=a:1,b:2")
                .run(context -> assertThat(
                                context.getBean(HoldfastConnectionDetails.class).url())
                        .isEqualTo("redis-cluster://a:1,b:2"));
    }

    @Test
    void namesTheSentinels() {
        application()
                .withPropertyValues(
                        "holdfast.memory=true",
                        "spring.data.redis.sentinel.master=main",
                        "spring.data.redis.sentinel.nodes=a:1,b:2",
                        "spring.data.redis.database=3")
                .run(context -> assertThat(
                                context.getBean(HoldfastConnectionDetails.class).url())
                        .isEqualTo("redis-sentinel://a:1,b:2/main/3"));
    }

    /** Containers of tests and Docker Compose give such details. */
    @Test
    void takesTheDetailsOfAService() {
        application().withUserConfiguration(Service.class).run(context -> assertThat(
                        context.getBean(Till.class).sell("10", null))
                .isPositive());
    }

    @Test
    void trustsByABundle(@TempDir Path directory) throws Exception {
        try (RedisServer secured = RedisServer.builder().tls(TlsMode.SERVER).start()) {
            Path authority = Files.writeString(
                    directory.resolve("authority.pem"),
                    secured.tls().authority().pem());
            application()
                    .withPropertyValues(
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + secured.port(),
                            "spring.data.redis.ssl.bundle=store",
                            "spring.ssl.bundle.pem.store.truststore.certificate=file:" + authority)
                    .run(context -> assertThat(context.getBean(Till.class).sell("11", null))
                            .isPositive());
        }
    }

    @Test
    void aDatabaseBesideAClusterIsRefused() {
        application()
                .withPropertyValues("spring.data.redis.cluster.nodes=a:1,b:2", "spring.data.redis.database=3")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("database"));
    }

    @Test
    void anUnknownPropertyIsRefused() {
        application()
                .withPropertyValues("holdfast.memory=true", "holdfast.comand-timeout=1s")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("comand-timeout"));
    }

    @Test
    void startsAsAnApplication() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Shop.class)
                .run("--holdfast.url=" + redis.url(), "--spring.main.banner-mode=off")) {
            assertThat(context.getBean(LockClient.class).getLock("x").tryLock()).isTrue();
        }
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner().withUserConfiguration(Shop.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Till till() {
            return new Till();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Service {

        @Bean
        RedisConnectionDetails details() {
            return new RedisConnectionDetails() {
                @Override
                public Standalone getStandalone() {
                    return Standalone.of("127.0.0.1", redis.port());
                }
            };
        }
    }

    static class Till {

        @Locked("stock:#{#item}")
        public long sell(String item, LockHold hold) {
            LockAssert.assertLocked("stock:" + item);
            return hold.fencingToken();
        }
    }
}
