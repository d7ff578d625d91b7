package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** The health {@code holdfast}: of the only client, or of each by its bean's name. No group has it unless it is asked to. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
@Conditional(LockClientCondition.class)
public final class HoldfastHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = {"holdfastHealthIndicator", "holdfastHealthContributor"})
    static HealthContributor holdfastHealthContributor(ListableBeanFactory beans) {
        Map<String, LockClient> clients = beans.getBeansOfType(LockClient.class, false, true);
        return clients.size() == 1
                ? new LockClientHealth(clients.values().iterator().next())
                : CompositeHealthContributor.fromMap(clients, LockClientHealth::new);
    }
}
