package io.holdfast.lock.spring;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Role;

/** What {@link EnableLocks} brings. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LocksConfiguration {

    private static final String TEMPLATE = "holdfastLockTemplate";

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedPostProcessor holdfastLockedPostProcessor() {
        return new LockedPostProcessor();
    }

    @Bean
    static SkippedCalls holdfastSkippedCalls(LockedPostProcessor locked) {
        return locked.skipped();
    }

    /** With the only or the primary client, which is looked for at the first call. One of the application's own is preferred. */
    @Bean(TEMPLATE)
    @Fallback
    static LockTemplate holdfastLockTemplate(LockedPostProcessor locked) {
        return locked.template(TEMPLATE);
    }
}
