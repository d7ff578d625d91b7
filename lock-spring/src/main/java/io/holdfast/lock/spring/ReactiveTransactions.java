package io.holdfast.lock.spring;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** {@link TransactionLocks} for reactive transactions. Loaded only where there are Reactor and spring-tx. */
final class ReactiveTransactions {

    private ReactiveTransactions() {}

    /**
     * A publisher of a method, within a transaction that was begun for its call, which checks the locks before it commits.
     *
     * @param declared what the method says it gives back, which may be a type that only it can make
     */
    static Object checked(Object result, Class<?> declared) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
        if (adapter == null || !adapter.getDescriptor().isDeferred() || !fits(adapter, declared)) {
            return result;
        }
        Mono<Void> first = Mono.deferContextual(context -> {
            Inside inside = ReactiveCall.inside(context);
            TransactionSynchronizationManager transaction = current(context);
            if (inside != null && inside.checked() && transaction != null) {
                transaction.registerSynchronization(new Locks(inside.grip(), true));
            }
            return Mono.empty();
        });
        return adapter.fromPublisher(
                adapter.isMultiValue()
                        ? first.thenMany(Flux.from(ReactiveResults.publisher(adapter, result)))
                        : first.then(Mono.fromDirect(ReactiveResults.publisher(adapter, result))));
    }

    /** Whether another publisher may be in its place. One that is declared as an object is a suspending function's at best. */
    private static boolean fits(ReactiveAdapter adapter, Class<?> declared) {
        return declared == Object.class
                ? Inside.ofThread() != null
                : declared.isAssignableFrom(adapter.getReactiveType());
    }

    /** What encloses a subscriber: also what its transaction keeps. */
    static @Nullable Inside inside(ContextView context, @Nullable Inside inside) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction == null) {
            return inside;
        }
        List<Holding> kept = new ArrayList<>();
        for (TransactionSynchronization one : transaction.getSynchronizations()) {
            if (one instanceof Locks locks) {
                kept.addAll(locks.kept);
            }
        }
        return kept.isEmpty() ? inside : new Inside(new Grip("", kept), false, inside);
    }

    /** If the subscriber is within a transaction, that keeps what the call has until it has completed. */
    static void keep(ContextView context, Grip grip, boolean checked) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction != null) {
            Locks locks = new Locks(grip, checked);
            for (Holding holding : grip.holdings()) {
                if (holding.join()) {
                    locks.kept.add(holding);
                }
            }
            transaction.registerSynchronization(locks);
        }
    }

    /** The transaction of a chain with this context; null if there is none. It is known at once. */
    private static @Nullable TransactionSynchronizationManager current(ContextView context) {
        TransactionSynchronizationManager current = TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .contextWrite(context)
                .toFuture()
                .getNow(null);
        return current != null && current.isSynchronizationActive() && current.isActualTransactionActive()
                ? current
                : null;
    }

    private static final class Locks implements TransactionSynchronization, Ordered {

        private final Grip grip;
        private final boolean checked;
        private final List<Holding> kept = new ArrayList<>();

        Locks(Grip grip, boolean checked) {
            this.grip = grip;
            this.checked = checked;
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return checked ? Mono.fromRunnable(grip::check) : Mono.empty();
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> kept.forEach(Holding::leaveAsync));
        }
    }
}
