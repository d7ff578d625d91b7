package io.holdfast.lock.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether there is a client without a name. An application that has named ones, and no address but theirs, wants no other; one that
 * has none at all hears that an address is missing.
 */
final class DefaultClientCondition extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Holdfast default client");
        Environment environment = context.getEnvironment();
        if (environment.containsProperty("holdfast.url")
                || environment.containsProperty("holdfast.urls")
                || environment.containsProperty("holdfast.urls[0]")) {
            return ConditionOutcome.match(message.foundExactly("its address"));
        }
        if (NamedClients.names(environment).isEmpty()) {
            return ConditionOutcome.match(message.didNotFind("other clients").atAll());
        }
        var beans = context.getBeanFactory();
        if (beans != null && beans.getBeanNamesForType(HoldfastConnectionDetails.class, true, false).length > 0) {
            return ConditionOutcome.match(message.foundExactly("connection details"));
        }
        return ConditionOutcome.noMatch(message.because("only named clients have an address"));
    }
}
