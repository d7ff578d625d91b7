package io.holdfast.lock.spring;

import java.util.function.Function;
import java.util.function.Supplier;
import kotlinx.coroutines.flow.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Publishers under locks. Loaded only where there is Reactor. */
final class ReactiveResults {

    private ReactiveResults() {}

    /**
     * The result of a method with a reactive type.
     *
     * @param works the work of one subscription each
     */
    static Object of(ReactiveAdapter adapter, Supplier<Work> works) {
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? flux(works, ReactiveResults.<Object>sources(adapter))
                        : mono(works, ReactiveResults.<Object>sources(adapter)));
    }

    /** The result of a suspending function, as Spring's proxies take it. */
    static Publisher<Object> ofSuspending(boolean isFlow, Supplier<Work> works) {
        Function<@Nullable Object, Publisher<Object>> sources = ReactiveResults::published;
        return isFlow ? flux(works, sources) : mono(works, sources);
    }

    static <T> Mono<T> mono(Supplier<Work> works, Function<@Nullable Object, Publisher<T>> sources) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> downstream) {
                new ReactiveCall<>(works.get(), downstream, sources, true).start();
            }
        };
    }

    static <T> Flux<T> flux(Supplier<Work> works, Function<@Nullable Object, Publisher<T>> sources) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> downstream) {
                new ReactiveCall<>(works.get(), downstream, sources, false).start();
            }
        };
    }

    private static <T> Function<@Nullable Object, Publisher<T>> sources(ReactiveAdapter adapter) {
        return source -> publisher(adapter, source);
    }

    /** The publisher of what a method gave back. Of a Flow it is one whose coroutines are inside what this thread is. */
    static <T> Publisher<T> publisher(ReactiveAdapter adapter, @Nullable Object source) {
        Inside inside = Inside.ofThread();
        if (inside != null && ResultKind.isFlow(adapter.getReactiveType()) && source instanceof Flow<?> flow) {
            return adapter.toPublisher(Coroutines.followed(flow, inside));
        }
        return adapter.toPublisher(source);
    }

    /** What a suspending function gave back through a proxy is a publisher already; what came in its place may be a value. */
    @SuppressWarnings("unchecked")
    private static Publisher<Object> published(@Nullable Object source) {
        return source instanceof Publisher<?> publisher ? (Publisher<Object>) publisher : Mono.justOrEmpty(source);
    }
}
