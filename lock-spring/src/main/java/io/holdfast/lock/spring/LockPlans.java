package io.holdfast.lock.spring;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Makes the plan of a method from its annotation, and refuses what can't work. */
final class LockPlans {

    private final ConfigurableListableBeanFactory factory;
    private final ClientLookup clients;
    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
    private final Supplier<Duration> defaultWait;
    private final KindCheck kinds;

    LockPlans(ConfigurableListableBeanFactory factory, ClientLookup clients, Supplier<Duration> defaultWait) {
        this.factory = factory;
        this.clients = clients;
        this.defaultWait = defaultWait;
        this.kinds = new KindCheck(clients);
    }

    /** What was put off while clients were being made. */
    KindCheck kinds() {
        return kinds;
    }

    /** @param bean the class of the bean, of which this is a method */
    LockPlan plan(Method method, Class<?> bean, MergedAnnotation<Locked> annotation) {
        Class<?> written = Proxy.isProxyClass(bean) ? method.getDeclaringClass() : ClassUtils.getUserClass(bean);
        String shown = written.getSimpleName() + "." + method.getName();
        String where = "@Locked on " + shown;
        refuseAsync(method, bean, where);
        List<KeyTemplate> keys = keys(method, bean, where, annotation.getStringArray("keys"));
        ResultKind result = ResultKind.of(method, where);
        OnTimeout onTimeout = annotation.getEnum("onTimeout", OnTimeout.class);
        OnUnavailable onUnavailable = annotation.getEnum("onUnavailable", OnUnavailable.class);
        Duration lease = duration(where, "lease", annotation);
        Duration atLeast = duration(where, "atLeast", annotation);
        if (lease != null && atLeast != null && atLeast.compareTo(lease) > 0) {
            throw refused(
                    where, "atLeast is " + Durations.of(atLeast), "no more than the lease, " + Durations.of(lease));
        }
        String client = clients.beanName(where, text(where, annotation.getString("client")));
        Kind kind = annotation.getEnum("kind", Kind.class);
        kinds.check(where, kind, client, text(where, annotation.getStringArray("keys")[0]));
        String wait = text(where, annotation.getString("waitFor"));
        return new LockPlan(
                method,
                shown,
                keys,
                constants(where, keys),
                kind,
                text(where, annotation.getString("name")),
                client,
                SingletonSupplier.of(() -> clients.client(client)),
                wait.isEmpty() ? defaultWait.get() : DurationText.wait(where + ": waitFor", wait),
                lease,
                atLeast,
                onTimeout,
                onUnavailable,
                annotation.getEnum("onLost", OnLost.class),
                annotation.getEnum("release", Release.class),
                result,
                holds(method),
                fallback(method, bean, where, text(where, annotation.getString("fallback")), onTimeout, onUnavailable),
                onTimeout == OnTimeout.SKIP ? empty(method, result, where) : null,
                List.of(method.getExceptionTypes()).contains(InterruptedException.class),
                names,
                factory,
                new AtomicBoolean());
    }

    private List<KeyTemplate> keys(Method method, Class<?> bean, String where, String[] texts) {
        if (texts.length == 0) {
            throw refused(where, "no key", "at least one");
        }
        List<KeyTemplate> keys = new ArrayList<>();
        for (String text : texts) {
            KeyTemplate key = KeyTemplate.of(text(where, text), where);
            new KeyCheck(key, method, bean, names, factory).run();
            keys.add(key);
        }
        return keys;
    }

    /** The keys, if all of them are constant. */
    private static @Nullable List<String> constants(String where, List<KeyTemplate> keys) {
        Set<String> constants = new LinkedHashSet<>();
        for (KeyTemplate key : keys) {
            if (!key.isConstant()) {
                return null;
            }
            key.addTo(constants, new StandardEvaluationContext());
        }
        return LockPlan.checked(where, constants);
    }

    private @Nullable Duration duration(String where, String element, MergedAnnotation<Locked> annotation) {
        String text = text(where, annotation.getString(element));
        return text.isEmpty() ? null : DurationText.lease(where + ": " + element, text);
    }

    /** The text with its placeholders resolved. */
    private String text(String where, String written) {
        if (!written.contains("${")) {
            return written;
        }
        String resolved;
        try {
            resolved = factory.resolveEmbeddedValue(written);
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(Printable.message(where + ": " + unknown.getMessage()), unknown);
        }
        if (resolved == null || resolved.contains("${")) {
            throw refused(where, "'" + written + "' has a placeholder without a value", "a property of that name");
        }
        return resolved;
    }

    private static List<Integer> holds(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return IntStream.range(0, types.length)
                .filter(i -> types[i] == LockHold.class)
                .boxed()
                .toList();
    }

    private static @Nullable Fallback fallback(
            Method method, Class<?> bean, String where, String name, OnTimeout onTimeout, OnUnavailable onUnavailable) {
        boolean wanted = onTimeout == OnTimeout.FALLBACK || onUnavailable == OnUnavailable.FALLBACK;
        if (wanted == name.isEmpty()) {
            throw wanted
                    ? refused(where, "FALLBACK without a fallback", "fallback = the name of a method")
                    : refused(
                            where, "fallback '" + name + "' is never called", "onTimeout or onUnavailable = FALLBACK");
        }
        Class<? extends LockException> failure =
                onUnavailable == OnUnavailable.FALLBACK ? LockException.class : LockTimeoutException.class;
        return wanted ? Fallback.of(name, method, bean, failure, where) : null;
    }

    private static Supplier<@Nullable Object> empty(Method method, ResultKind result, String where) {
        Class<?> type = result.type();
        Supplier<@Nullable Object> empty = EmptyResult.of(type);
        boolean isLate = result.form() == ResultKind.Form.STAGE || result.form() == ResultKind.Form.PUBLISHER;
        boolean canBeNull = type == void.class || isLate || Nullness.forMethodReturnType(method) != Nullness.NON_NULL;
        if (empty == null || result.isNeverEmpty() || (!canBeNull && !EmptyResult.isThere(type) && !isUnit(type))) {
            throw refused(
                    where,
                    "onTimeout = SKIP, and a " + type.getSimpleName() + " has no empty value here",
                    "a result that can be empty or null, or FALLBACK");
        }
        return empty;
    }

    private static boolean isUnit(Class<?> type) {
        return KotlinDetector.isKotlinPresent() && type.getName().equals("kotlin.Unit");
    }

    private static void refuseAsync(Method method, Class<?> bean, String where) {
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(bean, Async.class)) {
            throw refused(
                    where,
                    "@Async on the same method, so the lock would be held by the caller while another thread works",
                    "@Locked on a method of another bean that the @Async one calls");
        }
    }

    private static IllegalArgumentException refused(String where, String what, String expected) {
        return new IllegalArgumentException(Printable.message(where + ": " + what + " (expected: " + expected + ")"));
    }
}
