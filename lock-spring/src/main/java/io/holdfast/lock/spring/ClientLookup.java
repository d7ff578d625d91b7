package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** Finds the {@link LockClient} beans of a context. Which one is meant is settled before any is made. */
final class ClientLookup {

    private final ConfigurableListableBeanFactory factory;

    ClientLookup(ConfigurableListableBeanFactory factory) {
        this.factory = factory;
    }

    /**
     * The bean's name.
     *
     * @param where what it is for, for messages
     * @param wanted its name or a qualifier; empty for the only or the primary one
     */
    String beanName(String where, String wanted) {
        List<String> names = names();
        List<String> fitting = wanted.isEmpty() ? byDefault(names) : called(names, wanted);
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        String what = wanted.isEmpty() ? "no client is named" : "client '" + wanted + "'";
        String known = names.isEmpty() ? "none" : String.join(", ", names);
        String expected = wanted.isEmpty()
                ? "one LockClient bean, a primary one, or client = one of them"
                : "the name or a qualifier of one LockClient bean";
        throw new NoLockClientException(
                where + ": " + what + ", and the LockClient beans are: " + known + " (expected: " + expected + ")",
                names.isEmpty());
    }

    /** That of the only or the primary one, if it is settled which that is. */
    Optional<String> usualName() {
        List<String> usual = byDefault(names());
        return usual.size() == 1 ? Optional.of(usual.get(0)) : Optional.empty();
    }

    LockClient client(String beanName) {
        return factory.getBean(beanName, LockClient.class);
    }

    /** The client, where it is made already: to look at it makes none. */
    Optional<LockClient> made(String beanName) {
        BeanFactory at = factory;
        while (at instanceof ConfigurableListableBeanFactory here) {
            if (here.containsLocalBean(beanName)) {
                return here.containsSingleton(beanName)
                                && here.getSingleton(beanName) instanceof LockClient client
                                && !AopUtils.isAopProxy(client)
                        ? Optional.of(client)
                        : Optional.empty();
            }
            at = here.getParentBeanFactory();
        }
        return Optional.empty();
    }

    /** The client is destroyed after the bean that uses it. */
    void isUsedBy(String clientName, String beanName) {
        if (factory.containsLocalBean(clientName)) {
            factory.registerDependentBean(clientName, beanName);
        }
    }

    private List<String> names() {
        return Arrays.asList(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, LockClient.class, true, false));
    }

    private List<String> called(List<String> names, String wanted) {
        if (names.contains(wanted)) {
            return List.of(wanted);
        }
        return names.stream()
                .filter(name ->
                        isAutowired(name) && BeanFactoryAnnotationUtils.isQualifierMatch(wanted::equals, name, factory))
                .toList();
    }

    private List<String> byDefault(List<String> names) {
        List<String> candidates =
                names.stream().filter(name -> isCandidate(name)).toList();
        if (candidates.size() > 1) {
            List<String> primary =
                    candidates.stream().filter(name -> isPrimary(name)).toList();
            List<String> ordinary =
                    candidates.stream().filter(name -> !isFallback(name)).toList();
            return primary.size() == 1 ? primary : ordinary;
        }
        return candidates;
    }

    private boolean isCandidate(String name) {
        return isAutowired(name)
                && !(definition(name) instanceof AbstractBeanDefinition defined && !defined.isDefaultCandidate());
    }

    /** Not what is behind a scoped proxy, for one. */
    private boolean isAutowired(String name) {
        BeanDefinition definition = definition(name);
        return definition == null || definition.isAutowireCandidate();
    }

    private boolean isPrimary(String name) {
        BeanDefinition definition = definition(name);
        return definition != null && definition.isPrimary();
    }

    private boolean isFallback(String name) {
        BeanDefinition definition = definition(name);
        return definition != null && definition.isFallback();
    }

    /** Its own or that of an ancestor; null for an object that was registered as it is. */
    private @Nullable BeanDefinition definition(String name) {
        if (factory.containsLocalBean(name) && !factory.containsBeanDefinition(name)) {
            return null;
        }
        try {
            return factory.getMergedBeanDefinition(name);
        } catch (NoSuchBeanDefinitionException none) {
            return null;
        }
    }
}
