package io.holdfast.lock.tests.simulation;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Gives each test a simulated world of its own, as a parameter, and runs the test on a thread of that world: where it
 * blocks, simulated time goes on.
 */
public final class SimulatedWorldExtension implements InvocationInterceptor, ParameterResolver, AfterEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(SimulatedWorldExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SimulatedGround.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return ground(context);
    }

    private static SimulatedGround ground(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(SimulatedGround.class, type -> new SimulatedGround(), SimulatedGround.class);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> step, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(step, context);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> step, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(step, context);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> step, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(step, context);
    }

    private static void run(Invocation<@Nullable Void> step, ExtensionContext context) throws Throwable {
        Throwable[] failure = new Throwable[1];
        ground(context).run(() -> {
            try {
                step.proceed();
            } catch (Throwable thrown) {
                failure[0] = thrown;
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        ground(context).endThreads();
    }
}
