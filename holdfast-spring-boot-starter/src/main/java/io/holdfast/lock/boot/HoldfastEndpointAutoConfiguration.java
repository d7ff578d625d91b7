package io.holdfast.lock.boot;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** The endpoint {@code /actuator/holdfast}. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
@Conditional(LockClientCondition.class)
public final class HoldfastEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static HoldfastEndpoint holdfastEndpoint(ConfigurableListableBeanFactory beans) {
        return new HoldfastEndpoint(beans);
    }
}
