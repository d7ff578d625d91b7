package io.holdfast.lock.spring;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.text.Printable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The method that is called in place of another one. It is called on the bean itself, without a lock. */
final class Fallback {

    private final Method method;
    /** For each of its parameters: the parameter of the other method; -1 for the exception. */
    private final int[] sources;

    private Fallback(Method method, int[] sources) {
        this.method = method;
        this.sources = sources;
    }

    /**
     * @param failure what it may be given
     * @throws IllegalArgumentException if the class has none that fits, or several
     */
    static Fallback of(
            String name, Method replaced, Class<?> bean, Class<? extends LockException> failure, String where) {
        List<Fallback> fitting = new ArrayList<>();
        for (Method candidate : ReflectionUtils.getUniqueDeclaredMethods(bean)) {
            int[] sources =
                    candidate.getName().equals(name) && !candidate.equals(replaced) && fitsResult(candidate, replaced)
                            ? sources(candidate, replaced, failure)
                            : null;
            if (sources != null) {
                fitting.add(new Fallback(candidate, sources));
            }
        }
        if (fitting.size() != 1) {
            throw new IllegalArgumentException(
                    Printable.message(where + ": fallback '" + name + "': " + bean.getSimpleName()
                            + " has " + (fitting.isEmpty() ? "no" : "more than one")
                            + " method of that name that fits (expected: "
                            + replaced.getReturnType().getSimpleName() + " " + name
                            + " with the same parameters, and perhaps a " + failure.getSimpleName() + ")"));
        }
        ReflectionUtils.makeAccessible(fitting.get(0).method);
        return fitting.get(0);
    }

    private static boolean fitsResult(Method candidate, Method replaced) {
        return replaced.getReturnType() == void.class
                || ClassUtils.isAssignable(replaced.getReturnType(), candidate.getReturnType());
    }

    /** Where its arguments come from; null if it does not fit. */
    private static int @Nullable [] sources(Method candidate, Method replaced, Class<? extends LockException> failure) {
        if (KotlinDetector.isSuspendingFunction(candidate) != KotlinDetector.isSuspendingFunction(replaced)) {
            return null;
        }
        Class<?>[] given = replaced.getParameterTypes();
        Class<?>[] wanted = candidate.getParameterTypes();
        int[] sources = new int[wanted.length];
        int next = 0;
        for (int i = 0; i < wanted.length; i++) {
            while (next < given.length && given[next] == LockHold.class && wanted[i] != LockHold.class) {
                next++;
            }
            if (next < given.length && wanted[i].isAssignableFrom(given[next])) {
                sources[i] = next++;
            } else if (isFailure(wanted[i], failure)
                    && Arrays.stream(sources, 0, i).noneMatch(source -> source < 0)) {
                sources[i] = -1;
            } else {
                return null;
            }
        }
        while (next < given.length && given[next] == LockHold.class) {
            next++;
        }
        return next == given.length ? sources : null;
    }

    private static boolean isFailure(Class<?> type, Class<? extends LockException> failure) {
        return Throwable.class.isAssignableFrom(type) && type.isAssignableFrom(failure);
    }

    @Nullable
    Object call(@Nullable Object target, Object[] arguments, LockException failure) throws Throwable {
        Object[] own = new Object[sources.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = sources[i] < 0 ? failure : arguments[sources[i]];
        }
        if (target != null && KotlinDetector.isSuspendingFunction(method)) {
            return CoroutinesUtils.invokeSuspendingFunction(method, target, own);
        }
        try {
            return method.invoke(target, own);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
