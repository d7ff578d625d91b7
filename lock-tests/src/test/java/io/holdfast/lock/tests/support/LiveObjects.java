package io.holdfast.lock.tests.support;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The library's objects that are reached from a few of them, by their fields: what a heap dump would have. Objects of others
 * are looked into where they are collections, arrays, references or futures.
 */
public final class LiveObjects {

    private static final String LIBRARY = "io.holdfast.lock";
    private static final String TESTS = "io.holdfast.lock.tests";

    private final Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();

    private LiveObjects() {}

    /** All of them, the roots included, in no order. */
    public static List<Object> from(Object... roots) {
        LiveObjects objects = new LiveObjects();
        Stream.of(roots).forEach(objects::add);
        while (!objects.open.isEmpty()) {
            Object next = objects.open.pop();
            try {
                objects.lookInto(next);
            } catch (ConcurrentModificationException changed) {
                // The client is at work: its collection is looked into once more.
                objects.open.push(next);
            }
        }
        return objects.found.stream().filter(LiveObjects::isOurs).toList();
    }

    /** The texts that an object of the library has in fields of its own. */
    public static Stream<String> texts(Object object) {
        LiveObjects fields = new LiveObjects();
        fields.addFields(object);
        return fields.found.stream().filter(String.class::isInstance).map(String.class::cast);
    }

    private void add(@Nullable Object object) {
        if (object != null && !(object instanceof Class) && found.add(object)) {
            open.push(object);
        }
    }

    private void lookInto(Object object) {
        if (isOurs(object)) {
            addFields(object);
        }
        if (object instanceof Object[] || (object.getClass().isArray() && !isOfPrimitives(object))) {
            for (int i = 0; i < Array.getLength(object); i++) {
                add(Array.get(object, i));
            }
        } else if (object instanceof Collection<?> elements) {
            elements.forEach(this::add);
        } else if (object instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                add(key);
                add(value);
            });
        } else if (object instanceof Optional<?> optional) {
            optional.ifPresent(this::add);
        } else if (object instanceof AtomicReference<?> reference) {
            add(reference.get());
        } else if (object instanceof CompletableFuture<?> future && future.isDone()) {
            future.whenComplete((value, failure) -> {
                add(value);
                add(failure);
            });
        }
    }

    private void addFields(Object object) {
        for (Class<?> type = object.getClass(); type != null && isOurs(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    try {
                        add(field.get(object));
                    } catch (IllegalAccessException closed) {
                        throw new AssertionError(field + " can't be read", closed);
                    }
                }
            }
        }
    }

    private static boolean isOurs(Object object) {
        return isOurs(object.getClass());
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith(LIBRARY) && !type.getName().startsWith(TESTS);
    }

    private static boolean isOfPrimitives(Object array) {
        return array.getClass().getComponentType().isPrimitive();
    }
}
