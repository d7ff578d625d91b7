package io.holdfast.lock.boot;

import io.holdfast.lock.LockClient;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each client of {@code holdfast.clients}: injected by its name as the qualifier, and never without one.
 */
final class NamedClients implements ImportBeanDefinitionRegistrar {

    private static final String SUFFIX = "LockClient";

    private final Environment environment;

    NamedClients(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importer, BeanDefinitionRegistry registry) {
        for (String name : names(environment)) {
            String beanName = name + SUFFIX;
            if (!isThere(beanName, registry)) {
                registry.registerBeanDefinition(beanName, definition(name));
            }
        }
    }

    /** A parent has the same properties, so its clients are those of its children too. */
    private static boolean isThere(String beanName, BeanDefinitionRegistry registry) {
        return registry.containsBeanDefinition(beanName)
                || (registry instanceof BeanFactory beans && beans.containsBean(beanName));
    }

    static Set<String> names(Environment environment) {
        BindResult<Map<String, ClientProperties>> clients = Binder.get(environment)
                .bind(HoldfastProperties.PREFIX + ".clients", Bindable.mapOf(String.class, ClientProperties.class));
        return clients.isBound() ? new TreeSet<>(clients.get().keySet()) : Set.of();
    }

    private static RootBeanDefinition definition(String name) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(LockClient.class);
        definition.setFactoryBeanName(HoldfastAutoConfiguration.CLIENTS);
        definition.setFactoryMethodName("connect");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        definition.setDefaultCandidate(false);
        // OpenClients closes it.
        definition.setDestroyMethodName("");
        return definition;
    }
}
