package io.holdfast.lock.spring;

import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Refuses the commit of a transaction within which, or around which, a lock was lost: one that another bean has begun, or a
 * {@code TransactionTemplate}, or with {@code REQUIRES_NEW}. Loaded only where there is spring-tx.
 */
final class CommitCheck implements TransactionExecutionListener {

    /** Has a transaction manager ask before it commits. */
    static void addTo(Object bean) {
        if (bean instanceof PlatformTransactionManager
                && bean instanceof ConfigurableTransactionManager manager
                && manager.getTransactionExecutionListeners().stream().noneMatch(CommitCheck.class::isInstance)) {
            manager.addListener(new CommitCheck());
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        for (Inside at = Inside.ofThread(); at != null; at = at.outer()) {
            if (at.checked()) {
                at.grip().check();
            }
        }
    }
}
