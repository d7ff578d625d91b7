package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * How the result of a method comes.
 *
 * @param adapter of a reactive type; null for any other
 * @param type what the method gives back; of a suspending function, what it gives back when it does not suspend
 */
record ResultKind(Form form, @Nullable ReactiveAdapter adapter, Class<?> type) {

    enum Form {
        /** It is there when the method returns. */
        AT_ONCE,
        /** A {@link CompletionStage}. */
        STAGE,
        /** A reactive type that has an adapter: Mono, Flux, Uni, Flow and others. */
        PUBLISHER,
        /** A suspending function, which Spring's proxies turn into a publisher. */
        SUSPENDING
    }

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", ResultKind.class.getClassLoader());
    private static final boolean COROUTINES =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ResultKind.class.getClassLoader());

    /** @throws IllegalArgumentException if a lock can't be held until a result of this type is there */
    static ResultKind of(Method method, String where) {
        Class<?> type = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) {
            require(REACTOR && COROUTINES, where, "a suspending function", "kotlinx-coroutines-reactor");
            MethodParameter continuation = new MethodParameter(method, method.getParameterCount() - 1);
            Class<?> result = ResolvableType.forMethodParameter(continuation)
                    .getGeneric(0)
                    .resolve(Object.class);
            return new ResultKind(Form.SUSPENDING, null, result);
        }
        if (CompletionStage.class.isAssignableFrom(type)) {
            if (!type.isInterface() && type != CompletableFuture.class) {
                throw refused(where, "a " + type.getName(), "CompletionStage or CompletableFuture");
            }
            return new ResultKind(Form.STAGE, null, type);
        }
        if (Future.class.isAssignableFrom(type)) {
            throw refused(where, "a " + type.getName() + ", whose end can't be heard of", "CompletionStage");
        }
        ReactiveAdapter adapter = type == Object.class
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter != null) {
            if (!adapter.getDescriptor().isDeferred()) {
                throw refused(
                        where, "a " + type.getName() + ", which runs before it is asked for", "a suspending function");
            }
            require(REACTOR, where, "a " + type.getName(), "reactor-core");
            Class<?> made = adapter.getReactiveType();
            if (!type.isAssignableFrom(made)) {
                throw refused(where, "a " + type.getName() + ", which only the method can make", made.getSimpleName());
            }
            return new ResultKind(Form.PUBLISHER, adapter, type);
        }
        if (Flow.Publisher.class.isAssignableFrom(type) || isPublisher(type)) {
            require(false, where, "a " + type.getName(), "reactor-core");
        }
        return new ResultKind(Form.AT_ONCE, null, type);
    }

    private static boolean isPublisher(Class<?> type) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(known -> known.getName().equals("org.reactivestreams.Publisher"));
    }

    ReactiveAdapter requiredAdapter() {
        return Objects.requireNonNull(adapter, "adapter");
    }

    /** Whether there is no publisher of this type without an element. */
    boolean isNeverEmpty() {
        return adapter != null && !adapter.getDescriptor().supportsEmpty();
    }

    /** Whether it is a Flow of Kotlin's. */
    boolean isFlow() {
        return isFlow(type);
    }

    static boolean isFlow(Class<?> type) {
        return type.getName().equals("kotlinx.coroutines.flow.Flow");
    }

    /** Whether this value is one that comes later, of a method that has not said so. */
    static boolean comesLater(Object value) {
        if (value instanceof Future<?> future) {
            return !future.isDone();
        }
        if (value instanceof CompletionStage<?> || value instanceof Flow.Publisher<?>) {
            return true;
        }
        return REACTOR && ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, value) != null;
    }

    private static void require(boolean present, String where, String what, String library) {
        if (!present) {
            throw refused(where, what, library + " on the class path");
        }
    }

    private static IllegalArgumentException refused(String where, String what, String expected) {
        return new IllegalArgumentException(
                Printable.message(where + ": its result is " + what + " (expected: " + expected + ")"));
    }
}
