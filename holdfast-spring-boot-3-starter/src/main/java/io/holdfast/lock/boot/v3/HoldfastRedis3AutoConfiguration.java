package io.holdfast.lock.boot.v3;

import io.holdfast.lock.boot.HoldfastAutoConfiguration;
import io.holdfast.lock.boot.HoldfastConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Spring Boot's details of a Redis connection, where there are none of the user's for locks. */
@AutoConfiguration(
        before = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@ConditionalOnClass(RedisConnectionDetails.class)
@ConditionalOnBean(RedisConnectionDetails.class)
@ConditionalOnMissingBean(HoldfastConnectionDetails.class)
public final class HoldfastRedis3AutoConfiguration {

    @Bean
    HoldfastConnectionDetails holdfastRedisConnectionDetails(RedisConnectionDetails details, Environment environment) {
        String url = environment.getProperty("spring.data.redis.url", "");
        return new RedisDetails(details, url.startsWith("rediss:"));
    }
}
