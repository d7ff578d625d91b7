package io.holdfast.lock.spring;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;

/** The empty value of a type. */
final class EmptyResult {

    private static final Map<Class<?>, Supplier<@Nullable Object>> KNOWN = Map.of(
            Optional.class, Optional::empty,
            OptionalInt.class, OptionalInt::empty,
            OptionalLong.class, OptionalLong::empty,
            OptionalDouble.class, OptionalDouble::empty,
            Stream.class, Stream::empty,
            IntStream.class, IntStream::empty,
            LongStream.class, LongStream::empty,
            DoubleStream.class, DoubleStream::empty,
            Iterable.class, List::of,
            Iterator.class, Collections::emptyIterator);

    private EmptyResult() {}

    /**
     * Makes the empty values of a type; they may be null. A new one for each call, since streams are read once and collections
     * may be added to.
     *
     * @return null if the type has none
     */
    static @Nullable Supplier<@Nullable Object> of(Class<?> type) {
        Supplier<@Nullable Object> known = KNOWN.get(type);
        if (known != null) {
            return known;
        }
        if (type == void.class) {
            return () -> null;
        }
        if (type.isPrimitive()) {
            return null;
        }
        if (type.isArray()) {
            Class<?> component = type.getComponentType();
            return () -> Array.newInstance(component, 0);
        }
        if (Collection.class.isAssignableFrom(type)) {
            return ofContainer(() -> CollectionFactory.createCollection(type, 0), type);
        }
        if (Map.class.isAssignableFrom(type)) {
            return ofContainer(() -> CollectionFactory.createMap(type, 0), type);
        }
        return () -> null;
    }

    /** Whether that is something other than null. */
    static boolean isThere(Class<?> type) {
        Supplier<@Nullable Object> empty = of(type);
        return empty != null && empty.get() != null;
    }

    private static @Nullable Supplier<@Nullable Object> ofContainer(Supplier<@Nullable Object> maker, Class<?> type) {
        try {
            return type.isInstance(maker.get()) ? maker : null;
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }
}
