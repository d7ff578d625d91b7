package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.text.Printable;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * What {@link Locked} says of one method, read and checked.
 *
 * @param shown the method, for messages: {@code OrderService.ship}
 * @param clientName the bean
 * @param client that bean, which is made at the first call
 * @param constantKeys the keys, if they are the same for all calls
 * @param holds the places of the parameters that are filled in
 * @param empty the result of a skipped call
 * @param skippedBefore whether a skipped call was logged
 */
record LockPlan(
        Method method,
        String shown,
        List<KeyTemplate> keys,
        @Nullable List<String> constantKeys,
        Kind kind,
        String name,
        String clientName,
        Supplier<LockClient> client,
        Duration waitFor,
        @Nullable Duration lease,
        @Nullable Duration atLeast,
        OnTimeout onTimeout,
        OnUnavailable onUnavailable,
        OnLost onLost,
        Release release,
        ResultKind result,
        List<Integer> holds,
        @Nullable Fallback fallback,
        @Nullable Supplier<@Nullable Object> empty,
        boolean declaresInterruption,
        ParameterNameDiscoverer names,
        BeanFactory beans,
        AtomicBoolean skippedBefore) {

    /** More are surely a mistake, and would each be asked for by itself. */
    static final int MOST_KEYS = 64;

    LockRequest request(@Nullable Object target, Object[] arguments) {
        List<String> all = constantKeys == null ? keys(target, arguments) : constantKeys;
        return new LockRequest(client.get(), all, kind, name, waitFor, lease, atLeast, shown);
    }

    private List<String> keys(@Nullable Object target, Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, names);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        Set<String> all = new LinkedHashSet<>();
        for (KeyTemplate key : keys) {
            key.addTo(all, context);
        }
        return checked(shown, all);
    }

    /** @param where what they are for, for messages */
    static List<String> checked(String where, Set<String> keys) {
        if (keys.size() > MOST_KEYS) {
            throw new IllegalArgumentException(Printable.message(
                    where + ": " + keys.size() + " keys (expected: at most " + MOST_KEYS + " in one call)"));
        }
        return List.copyOf(keys);
    }
}
