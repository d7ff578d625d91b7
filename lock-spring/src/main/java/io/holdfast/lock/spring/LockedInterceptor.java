package io.holdfast.lock.spring;

import java.lang.reflect.Proxy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;

/** Takes the locks of {@link Locked} methods, around everything else that is done for a call. */
final class LockedInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final SkippedCalls skipped;
    private final BlockingCall blocking;

    LockedInterceptor(LockedMethods methods, SkippedCalls skipped, BlockingCall blocking) {
        this.methods = methods;
        this.skipped = skipped;
        this.blocking = blocking;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LockPlan plan = methods.plan(invocation.getMethod(), bean(invocation, target));
        if (plan == null) {
            return invocation.proceed();
        }
        return switch (plan.result().form()) {
            case AT_ONCE -> blocking.run(new AnnotatedWork(plan, invocation, skipped));
            case STAGE -> StageCall.start(again(plan, invocation));
            case PUBLISHER -> ReactiveResults.of(plan.result().requiredAdapter(), () -> again(plan, invocation));
            case SUSPENDING -> ReactiveResults.ofSuspending(plan.result().isFlow(), () -> again(plan, invocation));
        };
    }

    /** The class that the pointcut was asked for: a proxy of others' is locked by its interfaces, whatever is behind it. */
    private static Class<?> bean(MethodInvocation invocation, @Nullable Object target) {
        if (target == null) {
            return invocation.getMethod().getDeclaringClass();
        }
        return Proxy.isProxyClass(target.getClass()) ? target.getClass() : AopUtils.getTargetClass(target);
    }

    /** An invocation can proceed once, and not after the call of the proxy has returned: so a copy does. */
    private AnnotatedWork again(LockPlan plan, MethodInvocation invocation) {
        MethodInvocation copy =
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        return new AnnotatedWork(plan, copy, skipped);
    }
}
