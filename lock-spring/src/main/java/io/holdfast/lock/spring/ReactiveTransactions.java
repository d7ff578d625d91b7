package io.holdfast.lock.spring;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
                Locks.of(transaction).checked.addAll(inside.grip().holdings());
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
        Locks locks = transaction == null ? null : Locks.find(transaction);
        return locks == null || locks.kept.isEmpty()
                ? inside
                : new Inside(new Grip("", List.copyOf(locks.kept)), false, inside);
    }

    /**
     * If the subscriber is within a transaction, that keeps what the call has until it has completed.
     *
     * @return gives back what it keeps for this call only, if the call does not begin
     */
    static Runnable keep(ContextView context, Grip grip, boolean checked) {
        TransactionSynchronizationManager transaction = current(context);
        if (transaction == null) {
            return () -> {};
        }
        Locks locks = Locks.of(transaction);
        if (checked) {
            locks.checked.addAll(grip.holdings());
        }
        List<Holding> fresh = grip.holdings().stream().filter(locks::keep).toList();
        return () -> fresh.forEach(locks::leave);
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

    /** The locks of one transaction. */
    private static final class Locks implements TransactionSynchronization, Ordered {

        /** Calls of one transaction may be granted their locks on several threads; Spring's set of synchronizations is for one. */
        private static final Object REGISTERING = new Object();

        private final Set<Holding> kept = ConcurrentHashMap.newKeySet();
        private final Set<Holding> checked = ConcurrentHashMap.newKeySet();

        static @Nullable Locks find(TransactionSynchronizationManager transaction) {
            for (TransactionSynchronization one : transaction.getSynchronizations()) {
                if (one instanceof Locks locks) {
                    return locks;
                }
            }
            return null;
        }

        static Locks of(TransactionSynchronizationManager transaction) {
            synchronized (REGISTERING) {
                Locks known = find(transaction);
                if (known != null) {
                    return known;
                }
                Locks fresh = new Locks();
                transaction.registerSynchronization(fresh);
                return fresh;
            }
        }

        /** Whether it has become one more user. */
        boolean keep(Holding holding) {
            if (kept.contains(holding) || !holding.join()) {
                return false;
            }
            kept.add(holding);
            return true;
        }

        void leave(Holding holding) {
            if (kept.remove(holding)) {
                holding.leaveAsync();
            }
        }

        /** The last one, so that nothing is done between the check and the commit. */
        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(() -> checked.forEach(Holding::check));
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> kept.forEach(this::leave));
        }
    }
}
