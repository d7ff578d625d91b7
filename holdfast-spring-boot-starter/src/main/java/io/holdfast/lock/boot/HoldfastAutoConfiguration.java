package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** Clients, by {@code holdfast.*} or by what Spring Boot knows of a Redis connection. A {@link LockClient} of the user's goes before. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
@Import({HoldfastAutoConfiguration.OfRedis.class, HoldfastAutoConfiguration.DefaultClient.class, NamedClients.class})
@ImportRuntimeHints(HoldfastHints.class)
public final class HoldfastAutoConfiguration {

    static final String CLIENTS = "holdfastLockClients";

    @Bean
    static OpenClients holdfastOpenClients() {
        return new OpenClients();
    }

    @Bean(CLIENTS)
    static LockClients holdfastLockClients(
            HoldfastProperties properties,
            ObjectProvider<HoldfastConnectionDetails> details,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<HoldfastClientCustomizer> customizers,
            ObjectProvider<ClientWatcher> watchers,
            OpenClients open,
            @Value("${spring.application.name:}") String application) {
        return new LockClients(
                properties,
                new Destinations(properties, details),
                bundles,
                listeners,
                customizers,
                watchers,
                open,
                application);
    }

    /** Spring Boot's details of a Redis connection, where there are none of the user's for locks. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    static class OfRedis {

        @Bean
        RedisConnectionDetails holdfastRedisConnectionDetails(
                ObjectProvider<DataRedisConnectionDetails> details, Environment environment) {
            return RedisConnectionDetails.of(details, environment);
        }
    }

    /** The client that is injected without a qualifier. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LockClient.class)
    @Conditional(DefaultClientCondition.class)
    static class DefaultClient {

        /** {@link OpenClients} closes it. */
        @Bean(destroyMethod = "")
        LockClient lockClient(LockClients clients) {
            return clients.connectDefault();
        }
    }
}
