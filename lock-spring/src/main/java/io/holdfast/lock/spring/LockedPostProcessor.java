package io.holdfast.lock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the locks around beans with {@link Locked} methods.
 *
 * <p>Others put their advice before all that is there as well: those of {@code @Retryable}, {@code @ConcurrencyLimit} and
 * {@code @Async}. Which of them ends up outermost is decided by their order, not by that of advisors. All of them are
 * {@link org.springframework.core.Ordered}; this one is not, so it comes after them, and the lock is around all.
 */
final class LockedPostProcessor
        implements SmartInstantiationAwareBeanPostProcessor,
                SmartInitializingSingleton,
                BeanFactoryAware,
                EnvironmentAware {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronization",
            LockedPostProcessor.class.getClassLoader());

    private final SkippedCalls skipped = new SkippedCalls();
    private @Nullable Environment environment;
    private @Nullable Proxies proxies;

    SkippedCalls skipped() {
        return skipped;
    }

    /**
     * The template of the context; its client is looked for at the first call.
     *
     * @param beanName its own; those that use it are destroyed before the client is
     */
    LockTemplate template(String beanName) {
        ClientLookup clients = proxies().clients;
        clients.usualName().ifPresent(client -> clients.isUsedBy(client, beanName));
        return new LockTemplate(
                SingletonSupplier.of(() -> clients.client(clients.beanName("LockTemplate", ""))), defaultWait());
    }

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        if (!(beanFactory instanceof ConfigurableListableBeanFactory factory)) {
            throw new IllegalArgumentException(
                    "bean factory: " + beanFactory.getClass().getName()
                            + " (expected: a ConfigurableListableBeanFactory, as application contexts have)");
        }
        TransactionLocks transactions = TRANSACTIONS ? new TransactionLocks() : null;
        ClientLookup clients = new ClientLookup(factory);
        LockPlans plans = new LockPlans(factory, clients, this::defaultWait);
        LockedMethods methods = new LockedMethods(plans);
        LockedInterceptor interceptor = new LockedInterceptor(methods, skipped, new BlockingCall(transactions));
        Advice innermost = transactions == null ? null : transactions.innermost();
        proxies = new Proxies(clients, plans.kinds(), methods, interceptor, innermost);
        proxies.setBeanFactory(factory);
        ClassLoader loader = factory.getBeanClassLoader();
        if (loader != null) {
            proxies.setBeanClassLoader(loader);
        }
    }

    /** How long calls wait that do not say. */
    Duration defaultWait() {
        return environment == null ? DurationText.DEFAULT_WAIT : DurationText.defaultWait(environment);
    }

    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        return proxies().determineBeanType(beanClass, beanName);
    }

    @Override
    public @Nullable Object postProcessAfterInitialization(Object bean, String beanName) {
        return proxies().postProcessAfterInitialization(bean, beanName);
    }

    @Override
    public void afterSingletonsInstantiated() {
        proxies().kinds.singletonsAreMade();
    }

    private Proxies proxies() {
        if (proxies == null) {
            throw new IllegalStateException("no bean factory yet (expected: a post-processor of a context)");
        }
        return proxies;
    }

    /** Makes proxies, or adds to those that are there. */
    private static final class Proxies extends AbstractBeanFactoryAwareAdvisingPostProcessor {

        private static final long serialVersionUID = 1L;

        private final transient ClientLookup clients;
        private final transient KindCheck kinds;
        private final transient LockedMethods methods;
        private final transient @Nullable Advice innermost;

        Proxies(
                ClientLookup clients,
                KindCheck kinds,
                LockedMethods methods,
                LockedInterceptor interceptor,
                @Nullable Advice innermost) {
            this.clients = clients;
            this.kinds = kinds;
            this.methods = methods;
            this.innermost = innermost;
            this.advisor = new DefaultPointcutAdvisor(new LockedPointcut(methods), interceptor);
            setBeforeExistingAdvisors(true);
            setProxyTargetClass(true);
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (innermost != null) {
                CommitCheck.addTo(bean);
            }
            Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
            List<LockPlan> plans = methods.plans(type);
            methods.warnOfUnreachable(type);
            Object result = super.postProcessAfterInitialization(bean, beanName);
            if (innermost != null
                    && result instanceof Advised advised
                    && !advised.isFrozen()
                    && (!plans.isEmpty() || TransactionLocks.isTransactional(advised))) {
                advised.addAdvice(innermost);
            }
            plans.forEach(plan -> clients.isUsedBy(plan.clientName(), beanName));
            return result;
        }

        @Override
        protected boolean isEligible(Class<?> targetClass) {
            return LockedMethods.isCandidate(targetClass) && super.isEligible(targetClass);
        }

        /** A final class, as Kotlin's are unless they are open, and a proxy of others' have interfaces at best. */
        @Override
        protected ProxyFactory prepareProxyFactory(Object bean, String beanName) {
            ProxyFactory factory = super.prepareProxyFactory(bean, beanName);
            if (Modifier.isFinal(bean.getClass().getModifiers())) {
                factory.setProxyTargetClass(false);
            }
            return factory;
        }
    }

    private static final class LockedPointcut extends StaticMethodMatcherPointcut {

        private final LockedMethods methods;

        LockedPointcut(LockedMethods methods) {
            this.methods = methods;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return methods.plan(method, targetClass) != null;
        }
    }
}
