package io.holdfast.lock.spring;

import io.holdfast.lock.LockHold;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@link LockTemplate} and {@link LockAssert} for reactive chains. The locks are asked for with each subscription, without
 * blocking, and given back with its end or its cancellation.
 */
public final class ReactiveLockTemplate {

    private final LockTemplate template;

    /** With the options of that template. */
    public ReactiveLockTemplate(LockTemplate template) {
        this.template = Objects.requireNonNull(template, "template");
    }

    /** One element at most, under a lock. */
    public <T> Mono<T> mono(String key, Function<? super LockHold, ? extends Mono<T>> task) {
        return mono(List.of(key), task);
    }

    /** One element at most, under several locks, which are taken together. */
    public <T> Mono<T> mono(Collection<String> keys, Function<? super LockHold, ? extends Mono<T>> task) {
        List<String> wanted = List.copyOf(keys);
        return ReactiveResults.mono(() -> template.work(wanted, task::apply), ReactiveLockTemplate::<T>publisher);
    }

    /** Any number of elements, under a lock. */
    public <T> Flux<T> flux(String key, Function<? super LockHold, ? extends Publisher<T>> task) {
        return flux(List.of(key), task);
    }

    /** Any number of elements, under several locks, which are taken together. */
    public <T> Flux<T> flux(Collection<String> keys, Function<? super LockHold, ? extends Publisher<T>> task) {
        List<String> wanted = List.copyOf(keys);
        return ReactiveResults.flux(() -> template.work(wanted, task::apply), ReactiveLockTemplate::<T>publisher);
    }

    /** As {@link LockAssert#assertLocked}, for the chain that it is part of. */
    public static Mono<Void> assertLocked(String keyOrName) {
        return Mono.deferContextual(context -> {
            LockAssert.check(ReactiveCall.inside(context), keyOrName);
            return Mono.empty();
        });
    }

    @SuppressWarnings("unchecked")
    private static <T> Publisher<T> publisher(@Nullable Object source) {
        return (Publisher<T>) Objects.requireNonNull(source, "the task's publisher");
    }
}
