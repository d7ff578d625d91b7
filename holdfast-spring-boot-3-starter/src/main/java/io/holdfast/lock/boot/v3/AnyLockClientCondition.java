package io.holdfast.lock.boot.v3;

import io.holdfast.lock.LockClient;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether there is any client; {@code @ConditionalOnBean} does not see those that are injected by a qualifier only. */
final class AnyLockClientCondition extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        boolean found = beans != null && beans.getBeanNamesForType(LockClient.class, true, false).length > 0;
        return new ConditionOutcome(found, "Holdfast clients");
    }
}
