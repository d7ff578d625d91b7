package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether there is any client; {@code @ConditionalOnBean} does not see those that are injected by a qualifier only. */
final class LockClientCondition extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Holdfast clients");
        var beans = context.getBeanFactory();
        String[] names = beans == null ? new String[0] : beans.getBeanNamesForType(LockClient.class, true, false);
        return names.length == 0
                ? ConditionOutcome.noMatch(message.didNotFind("any").atAll())
                : ConditionOutcome.match(message.found("bean", "beans").items((Object[]) names));
    }
}
