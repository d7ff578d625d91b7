package io.holdfast.lock.spring;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.util.ClassUtils;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One subscription to a publisher under locks. The locks are asked for when it begins; the publisher's context tells what goes on
 * inside that it is. The end is told when the locks have been given back.
 */
final class ReactiveCall<T> extends LaterCall implements CoreSubscriber<T>, Subscription {

    /** Under this the context has an {@link Inside}. */
    private static final Object INSIDE = Inside.class;

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.reactive.TransactionSynchronization", ReactiveCall.class.getClassLoader());

    private final Work work;
    private final CoreSubscriber<? super T> downstream;
    private final Function<@Nullable Object, Publisher<T>> sources;
    private final boolean single;
    private final Operators.DeferredSubscription upstream = new Operators.DeferredSubscription();
    /** Of the publisher, once it is begun. */
    private volatile Context context;
    /** The result of a single one, which is told with the end. */
    private volatile @Nullable T value;

    /**
     * @param sources makes a publisher of what the work gave back
     * @param single whether there is one element at most
     */
    ReactiveCall(
            Work work,
            CoreSubscriber<? super T> downstream,
            Function<@Nullable Object, Publisher<T>> sources,
            boolean single) {
        super(work);
        this.work = work;
        // A loss may be told while an element is.
        this.downstream = single || work.onLost() != OnLost.INTERRUPT ? downstream : Operators.serialize(downstream);
        this.sources = sources;
        this.single = single;
        this.context = downstream.currentContext();
    }

    void start() {
        downstream.onSubscribe(this);
        Inside inside = inside(context);
        start(TRANSACTIONS ? ReactiveTransactions.inside(context, inside) : inside);
    }

    /** What encloses a subscriber with this context: what the context says, else what the thread is inside. */
    static @Nullable Inside inside(ContextView context) {
        Inside inside = context.getOrDefault(INSIDE, null);
        return inside == null ? Inside.ofThread() : inside;
    }

    @Override
    void begin(@Nullable Object source, @Nullable Grip held, @Nullable Inside inside) {
        if (inside != null) {
            context = context.put(INSIDE, inside);
        }
        if (held != null && TRANSACTIONS && work.staysInTransaction()) {
            Runnable unkeep =
                    ReactiveTransactions.keep(downstream.currentContext(), held, work.onLost() != OnLost.IGNORE);
            if (isStopped()) {
                // The transaction may be over already, and would not give it back. One that ends later does.
                unkeep.run();
            }
        }
        sources.apply(source).subscribe(this);
    }

    @Override
    void stop() {
        upstream.cancel();
    }

    @Override
    boolean isOverWhenStopped() {
        return true;
    }

    @Override
    void finish(@Nullable Throwable failure) {
        T result = value;
        if (failure != null) {
            downstream.onError(failure);
        } else {
            if (result != null) {
                downstream.onNext(result);
            }
            downstream.onComplete();
        }
    }

    // --- of the publisher ---

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        upstream.set(subscription);
    }

    @Override
    public void onNext(T element) {
        if (single) {
            value = element;
        } else {
            downstream.onNext(element);
        }
    }

    @Override
    public void onError(Throwable failure) {
        sourceEnded(failure);
    }

    @Override
    public void onComplete() {
        sourceEnded(null);
    }

    // --- of the caller ---

    @Override
    public void request(long count) {
        if (Operators.validate(count)) {
            upstream.request(count);
        }
    }

    @Override
    public void cancel() {
        giveUp();
    }
}
