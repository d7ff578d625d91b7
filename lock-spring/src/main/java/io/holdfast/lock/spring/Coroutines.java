package io.holdfast.lock.spring;

import java.util.Objects;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads on which a coroutine runs be inside what it is inside, so that {@link LockAssert} and calls further in
 * follow it. Loaded only where there are coroutines.
 */
final class Coroutines {

    private Coroutines() {}

    /** Replaces the continuation, which is the last argument of a suspending function, by one that is inside. */
    static void follow(Object[] arguments, Inside inside) {
        int last = arguments.length - 1;
        if (arguments[last] instanceof Continuation<?> continuation) {
            arguments[last] = new Followed<>(continuation, inside);
        }
    }

    /** The same Flow, which is inside while it makes its elements, and not where they are taken. */
    static Object followed(Flow<?> flow, Inside inside) {
        return FlowKt.flowOn(flow, new Place(inside));
    }

    private static final class Followed<T> implements Continuation<T> {

        private final Continuation<T> continuation;
        private final CoroutineContext context;

        Followed(Continuation<T> continuation, Inside inside) {
            this.continuation = continuation;
            this.context = continuation.getContext().plus(new Place(inside));
        }

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            continuation.resumeWith(result);
        }
    }

    /** Where a coroutine is: set on each thread that goes on with it, and taken back when it suspends. */
    private static final class Place extends AbstractCoroutineContextElement
            implements ThreadContextElement<@Nullable Inside> {

        private static final class Key implements CoroutineContext.Key<Place> {}

        private static final Key KEY = new Key();

        private final Inside inside;

        Place(Inside inside) {
            super(KEY);
            this.inside = Objects.requireNonNull(inside);
        }

        @Override
        public @Nullable Inside updateThreadContext(CoroutineContext context) {
            return Inside.set(inside);
        }

        @Override
        public void restoreThreadContext(CoroutineContext context, @Nullable Inside before) {
            Inside.set(before);
        }
    }
}
