package io.holdfast.lock.spring;

import io.holdfast.lock.text.Printable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.interceptor.TransactionAttributeSourceAdvisor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * What transactions have to do with locks. One that was active before the lock was taken keeps it until it has completed; any
 * that commits while its lock is lost is rolled back.
 */
final class TransactionLocks {

    private static final Logger log = LoggerFactory.getLogger(TransactionLocks.class);

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", TransactionLocks.class.getClassLoader());

    /** Templates may have another name with each call. */
    private static final int MOST_WARNINGS = 100;

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** If a transaction is active, it keeps what the call has until it has completed. */
    void keep(Grip grip, boolean checked, String caller) {
        if (isActive()) {
            warnOfSnapshot(caller);
            Locks.ofTransaction().keep(grip, checked);
        }
    }

    /** Whether methods of this proxy may have reactive transactions, which are known next to the method only. */
    static boolean isTransactional(Advised proxy) {
        return REACTOR
                && Arrays.stream(proxy.getAdvisors())
                        .anyMatch(one -> one instanceof BeanFactoryTransactionAttributeSourceAdvisor
                                || one instanceof TransactionAttributeSourceAdvisor);
    }

    /** The advice next to the method: it is within a transaction that was begun for the call, and makes it check the locks. */
    Advice innermost() {
        return (MethodInterceptor) invocation -> {
            Inside inside = Inside.ofThread();
            if (inside != null && inside.checked() && isActive()) {
                Locks.ofTransaction().check(inside.grip());
            }
            Object result = invocation.proceed();
            return REACTOR && result != null
                    ? ReactiveTransactions.checked(
                            result, invocation.getMethod().getReturnType())
                    : result;
        };
    }

    private static boolean isActive() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    private void warnOfSnapshot(String caller) {
        Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
        boolean seesTheNewest = isolation != null
                && (isolation == TransactionDefinition.ISOLATION_READ_COMMITTED
                        || isolation == TransactionDefinition.ISOLATION_READ_UNCOMMITTED);
        if (!seesTheNewest && warned.size() < MOST_WARNINGS && warned.add(caller)) {
            log.warn(
                    "{} takes its lock within a transaction that was active before: under REPEATABLE READ it may read what was"
                            + " there before the lock was granted; begin the transaction under the lock",
                    Printable.of(caller));
        }
    }

    /** The locks of one transaction. It is bound to the thread with the transaction, and goes aside with it. */
    private static final class Locks implements TransactionSynchronization, Ordered {

        /** Each with what the thread keeps. */
        private final Map<Holding, Kept> kept = new LinkedHashMap<>();

        private final Set<Holding> checked = new LinkedHashSet<>();

        /**
         * Those of the transaction of this thread. One that was bound after the commit, or that has completed on another thread, may
         * be here still; it is not registered with this transaction.
         */
        static Locks ofTransaction() {
            if (TransactionSynchronizationManager.getResource(Locks.class) instanceof Locks known
                    && TransactionSynchronizationManager.getSynchronizations().contains(known)) {
                return known;
            }
            Locks fresh = new Locks();
            TransactionSynchronizationManager.registerSynchronization(fresh);
            fresh.bind();
            return fresh;
        }

        private void bind() {
            TransactionSynchronizationManager.unbindResourceIfPossible(Locks.class);
            TransactionSynchronizationManager.bindResource(Locks.class, this);
        }

        private void unbind() {
            if (TransactionSynchronizationManager.getResource(Locks.class) == this) {
                TransactionSynchronizationManager.unbindResource(Locks.class);
            }
        }

        /** The last one, so that nothing is done between the check and the commit. */
        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        void keep(Grip grip, boolean isChecked) {
            for (Holding holding : grip.holdings()) {
                if (!kept.containsKey(holding) && holding.join()) {
                    Kept ofThread = Kept.ofThread();
                    kept.put(holding, ofThread);
                    ofThread.add(holding);
                }
            }
            if (isChecked) {
                check(grip);
            }
        }

        void check(Grip grip) {
            checked.addAll(grip.holdings());
        }

        @Override
        public void suspend() {
            unbind();
        }

        @Override
        public void resume() {
            bind();
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            checked.forEach(Holding::check);
        }

        @Override
        public void beforeCompletion() {
            unbind();
        }

        /** On whichever thread: nothing is waited for. */
        @Override
        public void afterCompletion(int status) {
            unbind();
            kept.forEach((holding, ofThread) -> {
                ofThread.remove(holding);
                holding.leaveAsync();
            });
            kept.clear();
        }
    }
}
