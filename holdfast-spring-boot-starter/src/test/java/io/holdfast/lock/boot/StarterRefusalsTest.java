package io.holdfast.lock.boot;

import static io.holdfast.lock.boot.Starter.alone;
import static io.holdfast.lock.boot.Starter.inMemory;
import static io.holdfast.lock.boot.Starter.told;
import static io.holdfast.lock.boot.Starter.withRedis;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spring.Locked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What is configured wrongly is refused at start, with a sentence that names it and one that says what would do. */
class StarterRefusalsTest {

    @ParameterizedTest
    @CsvSource({
        "holdfast.comand-timeout, holdfast.command-timeout",
        "holdfast.tls.trust-sotre, holdfast.tls.trust-store",
        "holdfast.locked.wiat, holdfast.locked.wait",
        "holdfast.metrics.lock-tga, holdfast.metrics.lock-tag"
    })
    void aMisspeltPropertyIsRefusedWithTheNearest(String misspelt, String meant) {
        inMemory().withPropertyValues(misspelt + "=1s").run(context -> {
            FailureAnalysis told = told(new UnknownPropertyFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains(misspelt).contains("the nearest is " + meant + ")");
        });
    }

    @Test
    void aMisspeltPropertyOfANamedClientIsRefusedToo() {
        inMemory().withPropertyValues("holdfast.clients.batch.ull=redis://a").run(context -> {
            FailureAnalysis told = told(new UnknownPropertyFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains("the nearest is holdfast.clients.batch.url)");
        });
    }

    /** A name that is like no other would send the reader astray. */
    @ParameterizedTest
    @CsvSource({"holdfast.adress, holdfast.url", "holdfast.clients.batch.host, holdfast.clients.batch.url"})
    void aPropertyThatIsLikeNoneIsToldWhatTheAddressIs(String wrong, String address) {
        inMemory().withPropertyValues(wrong + "=redis://a").run(context -> {
            FailureAnalysis told = told(new UnknownPropertyFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription())
                    .contains(wrong)
                    .contains("the address is " + address + ")")
                    .doesNotContain("nearest");
        });
    }

    @Test
    void aValueOutOfRangeIsRefusedByThePropertysName() {
        inMemory().withPropertyValues("holdfast.lock.watchdog-lease=5ms").run(context -> assertThat(
                        told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                .contains("property holdfast.lock.watchdog-lease")
                .contains("5 ms"));
    }

    @ParameterizedTest
    @CsvSource({"later", "-1s", "400d", "PT-1S"})
    void aWaitOfMethodsThatIsNoneIsRefusedByThePropertysName(String wait) {
        inMemory()
                .withPropertyValues("holdfast.locked.wait=" + wait)
                .withBean(Service.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isNotNull()
                        .hasStackTraceContaining("holdfast.locked.wait"));
    }

    @Test
    void anUnknownClientOfAMethodIsToldWithWhatWouldDo() {
        inMemory().withBean(OfAnUnknownClient.class).run(context -> {
            FailureAnalysis told = told(new NoClientFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains("OfAnUnknownClient.run", "'nightly'", "lockClient");
            assertThat(told.getAction()).contains("@Locked(client");
        });
    }

    @Test
    void aMethodWithoutAnyClientIsToldWithWhatWouldDo() {
        alone().withPropertyValues("holdfast.enabled=false")
                .withBean(Service.class)
                .run(context -> {
                    FailureAnalysis told = told(new NoClientFailureAnalyzer(), context.getStartupFailure());
                    assertThat(told.getDescription()).contains("@Locked on Service.run");
                    assertThat(told.getAction()).contains("holdfast.url", "LockClient bean");
                });
    }

    @Test
    void noAddressIsToldWithWhatWouldDo() {
        alone().run(context -> {
            FailureAnalysis told = told(new ConfigurationFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains("there is no address");
            assertThat(told.getAction()).contains("holdfast.url").contains("spring.data.redis.host");
        });
    }

    @Test
    void aNamedClientWithoutAnAddressIsToldByItsName() {
        alone().withPropertyValues("holdfast.clients.batch.lazy=true").run(context -> {
            FailureAnalysis told = told(new ConfigurationFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains("client 'batch' has no address");
            assertThat(told.getAction()).contains("holdfast.clients.batch.url");
        });
    }

    @Test
    void anAddressAndAQuorumContradictEachOther() {
        alone().withPropertyValues("holdfast.url=redis://a", "holdfast.urls=redis://b,redis://c,redis://d")
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("holdfast.url contradicts holdfast.urls"));
    }

    @Test
    void optionsOfAQuorumWithoutOneAreRefused() {
        alone().withPropertyValues("holdfast.url=redis://a", "holdfast.quorum.fencing=false")
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("holdfast.quorum"));
    }

    @Test
    void anAddressThatIsNoneIsRefusedByThePropertysName() {
        alone().withPropertyValues("holdfast.url=localhost:6379").run(context -> {
            FailureAnalysis told = told(new ConfigurationFailureAnalyzer(), context.getStartupFailure());
            assertThat(told.getDescription()).contains("holdfast.url").contains("expected");
        });
    }

    /** It is mostly a variable that an instance lacks, which would lock elsewhere than all others if it took another address. */
    @Test
    void anEmptyAddressIsRefusedByThePropertysName() {
        alone().withPropertyValues("holdfast.url=")
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("property holdfast.url"));
    }

    @Test
    void detailsWithAnEmptyAddressAreRefusedAsDetails() {
        alone().withBean(HoldfastConnectionDetails.class, () -> () -> "")
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("the connection details")
                        .contains("expected"));
    }

    /** What shows the health of several clients splits their names at slashes. */
    @Test
    void aClientWithASlashInItsNameIsRefused() {
        inMemory().withPropertyValues("holdfast.clients[a/b].url=memory:").run(context -> assertThat(
                        told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                .contains("client 'a/b'"));
    }

    @Test
    void twoConnectionDetailsAreRefused() {
        alone().withBean("one", HoldfastConnectionDetails.class, () -> () -> "redis://a")
                .withBean("two", HoldfastConnectionDetails.class, () -> () -> "redis://b")
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("several connection details")
                        .contains("one")
                        .contains("two"));
    }

    @Tag("proof")
    @ParameterizedTest
    @CsvSource({"spring.data.redis.database=3", "spring.data.redis.url=redis://a:7000/3"})
    void aDatabaseOfAClusterIsRefused(String property) {
        withRedis()
                .withPropertyValues("spring.data.redis.cluster.nodes=a:7000,b:7000", property)
                .run(context -> {
                    FailureAnalysis told = told(new ConfigurationFailureAnalyzer(), context.getStartupFailure());
                    assertThat(told.getDescription())
                            .contains("name a cluster and database 3, and a cluster has database 0 alone");
                    assertThat(told.getAction()).contains("spring.data.redis.database");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "holdfast.url=redis-cluster://a:7000;holdfast.lazy=true;holdfast.failover-guard=30s"
                        + " | failoverGuard: cluster a:7000 has no Sentinels",
                "holdfast.url=redis-cluster://a:7000;holdfast.sentinel.plain=true | sentinel: options for an address without",
                "holdfast.urls=redis://a,redis-cluster://b:7000,redis://c | url number 2: address: leads to one of several"
            })
    void whatAClusterDoesNotHaveIsRefusedByThePropertysName(String properties, String sentence) {
        alone().withPropertyValues(properties.split(";"))
                .run(context -> assertThat(told(new ConfigurationFailureAnalyzer(), context.getStartupFailure())
                                .getDescription())
                        .contains("property holdfast.url")
                        .contains(sentence));
    }

    static class Service {

        @Locked("k")
        public void run() {}
    }

    static class OfAnUnknownClient {

        @Locked(value = "k", client = "nightly")
        public void run() {}
    }
}
