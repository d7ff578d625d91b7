package io.holdfast.lock.boot.v3;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.boot.HoldfastAutoConfiguration;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** The health {@code holdfast}, as the starter has it on Spring Boot 4. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
@Conditional(AnyLockClientCondition.class)
public final class HoldfastHealth3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = {"holdfastHealthIndicator", "holdfastHealthContributor"})
    static HealthContributor holdfastHealthContributor(ListableBeanFactory beans) {
        Map<String, LockClient> clients = beans.getBeansOfType(LockClient.class, false, true);
        return clients.size() == 1
                ? new LockClientHealth(clients.values().iterator().next())
                : CompositeHealthContributor.fromMap(clients, LockClientHealth::new);
    }
}
