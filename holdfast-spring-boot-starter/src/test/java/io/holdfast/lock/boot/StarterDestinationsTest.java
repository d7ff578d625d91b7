package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static io.holdfast.lock.boot.Starter.withRedis;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Where the client connects to, by what is configured. No server is needed: what comes out is a client's options. */
class StarterDestinationsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring.data.redis.port=7777 | redis://localhost:7777",
                "spring.data.redis.host=::1 | redis://[::1]:6379",
                "spring.data.redis.host=a;spring.data.redis.database=3 | redis://a:6379/3",
                "spring.data.redis.host=a;spring.data.redis.ssl.enabled=true | rediss://a:6379",
                "spring.data.redis.url=redis://u:p@b:7000/2 | redis://b:7000/2",
                "spring.data.redis.url=rediss://b:7000 | rediss://b:7000",
                "spring.data.redis.sentinel.master=main;spring.data.redis.sentinel.nodes=s1:26379,[::1]:26380;"
                        + "spring.data.redis.database=3 | redis-sentinel://s1:26379,[::1]:26380/main/3",
                "spring.data.redis.sentinel.master=main;spring.data.redis.sentinel.nodes=s1:26379;"
                        + "spring.data.redis.ssl.enabled=true | rediss-sentinel://s1:26379/main",
                "spring.data.redis.cluster.nodes=n1:7000,[::1]:7001;spring.data.redis.cluster.max-redirects=9"
                        + " | redis-cluster://n1:7000,[::1]:7001",
                "spring.data.redis.cluster.nodes=n1:7000;spring.data.redis.ssl.enabled=true | rediss-cluster://n1:7000",
                "spring.data.redis.cluster.nodes=n1:7000;spring.data.redis.url=rediss://u:p@b | rediss-cluster://n1:7000",
                "spring.data.redis.cluster.nodes=n1:7000;spring.data.redis.sentinel.master=main;"
                        + "spring.data.redis.sentinel.nodes=s1:26379 | redis-sentinel://s1:26379/main"
            })
    void propertiesOfRedisBecomeAnAddress(String properties, String address) {
        assertThat(optionsOf(withRedis().withPropertyValues(properties.split(";")))
                        .address())
                .contains(address);
    }

    @Test
    void theAddressOfLocksGoesBeforeAllDetails() {
        ApplicationContextRunner all = withRedis()
                .withBean(HoldfastConnectionDetails.class, () -> () -> "redis://details")
                .withPropertyValues("spring.data.redis.host=redis", "spring.data.redis.password=secret");
        assertThat(optionsOf(all.withPropertyValues("holdfast.url=redis://own")).address())
                .contains("redis://own");
        assertThat(optionsOf(all).address()).contains("redis://details");
        assertThat(optionsOf(all).credentials()).isEmpty();
    }

    @Test
    void credentialsAndABundleComeAlong() {
        ClientOptions options = optionsOf(withRedis()
                .withPropertyValues(
                        "spring.data.redis.username=me",
                        "spring.data.redis.password=p@ss/word",
                        "spring.data.redis.ssl.enabled=true",
                        "spring.data.redis.sentinel.master=main",
                        "spring.data.redis.sentinel.nodes=s1:26379",
                        "spring.data.redis.sentinel.password=watch"));
        assertThat(credentials(options.credentials().orElseThrow())).isEqualTo(Credentials.of("me", "p@ss/word"));
        assertThat(credentials(options.sentinel().credentials().orElseThrow()))
                .isEqualTo(Credentials.ofPassword("watch"));
        assertThat(options.tls().sslContext()).isPresent();
    }

    @Test
    void credentialsAndABundleComeAlongToACluster() {
        ClientOptions options = optionsOf(withRedis()
                .withPropertyValues(
                        "spring.data.redis.username=me",
                        "spring.data.redis.password=p@ss/word",
                        "spring.data.redis.ssl.enabled=true",
                        "spring.data.redis.cluster.nodes=n1:7000"));
        assertThat(credentials(options.credentials().orElseThrow())).isEqualTo(Credentials.of("me", "p@ss/word"));
        assertThat(options.tls().sslContext()).isPresent();
    }

    @Test
    void aClusterIsAnAddressOfLocksToo() {
        assertThat(optionsOf(withRedis()
                                .withPropertyValues(
                                        "spring.data.redis.cluster.nodes=n1:7000",
                                        "holdfast.url=redis-cluster://own:7000,own:7001"))
                        .address())
                .contains("redis-cluster://own:7000,own:7001");
    }

    @Test
    void ownPropertiesGoBeforeWhatDetailsSay() {
        ClientOptions options = optionsOf(
                withRedis().withPropertyValues("spring.data.redis.password=theirs", "holdfast.password=ours"));
        assertThat(credentials(options.credentials().orElseThrow())).isEqualTo(Credentials.ofPassword("ours"));
    }

    @Test
    void aUserWithoutAPasswordIsNone() {
        assertThat(optionsOf(withRedis().withPropertyValues("spring.data.redis.username=me"))
                        .credentials())
                .isEmpty();
    }

    @Test
    void withoutDataRedisThereAreTheFirstTwo() {
        assertThat(optionsOf(alone().withBean(HoldfastConnectionDetails.class, () -> () -> "redis://details"))
                        .address())
                .contains("redis://details");
    }

    private static Credentials credentials(CredentialsProvider provider) {
        return provider.credentials().toCompletableFuture().join();
    }

    /** The options of the default client, which is made lazily. */
    private static ClientOptions optionsOf(ApplicationContextRunner runner) {
        List<ClientOptions> seen = new ArrayList<>();
        runner.withPropertyValues("holdfast.lazy=true")
                .withBean(HoldfastClientCustomizer.class, () -> (client, options) -> seen.add(options.build()))
                .run(context -> assertThat(context).hasNotFailed());
        return seen.get(0);
    }
}
