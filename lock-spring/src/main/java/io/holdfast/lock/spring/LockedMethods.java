package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/** Which methods of which beans are locked, and how. Each is read once. */
final class LockedMethods {

    private static final Logger log = LoggerFactory.getLogger(LockedMethods.class);

    private static final String FRAMEWORK = "org.springframework.";

    /** Where applications are that live beside the framework, and what began as a copy of one of them. */
    private static final String SAMPLES = FRAMEWORK + "samples.";

    private final LockPlans plans;
    private final Map<MethodClassKey, Optional<LockPlan>> known = new ConcurrentHashMap<>();
    private final Map<Class<?>, MergedAnnotation<Locked>> ofClasses = new ConcurrentHashMap<>();
    private final Set<Class<?>> warned = ConcurrentHashMap.newKeySet();

    LockedMethods(LockPlans plans) {
        this.plans = plans;
    }

    /** The plan of a method of a bean of this class; null if it is not locked. */
    @Nullable
    LockPlan plan(Method method, Class<?> bean) {
        MethodClassKey key = new MethodClassKey(method, bean);
        Optional<LockPlan> plan = known.get(key);
        if (plan == null) {
            plan = Optional.ofNullable(read(method, bean));
            known.put(key, plan);
        }
        return plan.orElse(null);
    }

    /** False for a class that can't have the annotation: most beans of a context are the framework's own. */
    static boolean isCandidate(Class<?> bean) {
        return !isOfTheFramework(bean) && AnnotationUtils.isCandidateClass(bean, Locked.class);
    }

    private static boolean isOfTheFramework(Class<?> bean) {
        String name = bean.getName();
        return name.startsWith(FRAMEWORK) && !name.startsWith(SAMPLES);
    }

    /** The plans of all methods of a class. */
    List<LockPlan> plans(Class<?> bean) {
        if (!isCandidate(bean)) {
            return List.of();
        }
        Map<Method, LockPlan> found = MethodIntrospector.selectMethods(bean, (Method method) -> plan(method, bean));
        return List.copyOf(found.values());
    }

    /** Says which annotated methods of the class no proxy can get hold of. */
    void warnOfUnreachable(Class<?> bean) {
        if (!isCandidate(bean) || !warned.add(bean)) {
            return;
        }
        boolean whole = ofClass(bean).isPresent();
        for (Class<?> type = bean; type != null && type != Object.class; type = type.getSuperclass()) {
            for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
                int modifiers = method.getModifiers();
                boolean hidden = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers);
                boolean fixed = Modifier.isFinal(modifiers) && !Modifier.isFinal(bean.getModifiers());
                boolean wanted = MergedAnnotations.from(method).isPresent(Locked.class)
                        || (whole && !hidden && !isOfTheFramework(type));
                if (wanted && (hidden || fixed)) {
                    log.warn(
                            "@Locked on {}.{} has no effect: a {} method can't be intercepted",
                            Printable.of(type.getSimpleName()),
                            Printable.of(method.getName()),
                            Printable.of(Modifier.toString(modifiers)));
                }
            }
        }
    }

    private @Nullable LockPlan read(Method method, Class<?> bean) {
        // The methods of a proxy have no names of parameters; those of its interfaces do.
        Method specific = Proxy.isProxyClass(bean) ? method : AopUtils.getMostSpecificMethod(method, bean);
        int modifiers = specific.getModifiers();
        if (specific.getDeclaringClass() == Object.class
                || Modifier.isStatic(modifiers)
                || Modifier.isPrivate(modifiers)) {
            return null;
        }
        MergedAnnotation<Locked> found = one(MergedAnnotations.from(specific, SearchStrategy.TYPE_HIERARCHY), specific);
        if (!found.isPresent() && !specific.equals(method)) {
            found = one(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY), method);
        }
        if (!found.isPresent() && !specific.isSynthetic() && !ReflectionUtils.isObjectMethod(specific)) {
            found = ofClass(bean);
        }
        return found.isPresent() ? plans.plan(specific, bean, found) : null;
    }

    private MergedAnnotation<Locked> ofClass(Class<?> bean) {
        return ofClasses.computeIfAbsent(
                bean, type -> one(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY), type));
    }

    /** The nearest annotation; two that are equally near are refused. */
    private static MergedAnnotation<Locked> one(MergedAnnotations annotations, Object element) {
        List<MergedAnnotation<Locked>> all = annotations.stream(Locked.class).toList();
        if (all.isEmpty()) {
            return MergedAnnotation.missing();
        }
        int nearest =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElseThrow();
        List<MergedAnnotation<Locked>> found =
                all.stream().filter(one -> one.getAggregateIndex() == nearest).toList();
        if (found.size() > 1) {
            throw new IllegalArgumentException(Printable.message("@Locked on " + element + ": it is there "
                    + found.size() + " times (expected: once, with several keys)"));
        }
        return found.get(0);
    }
}
