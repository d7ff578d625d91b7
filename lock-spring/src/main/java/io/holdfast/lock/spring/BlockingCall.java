package io.holdfast.lock.spring;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** A call whose result is there when it returns: on one thread, from the wait for the lock to its release. */
final class BlockingCall {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronization", BlockingCall.class.getClassLoader());

    private final @Nullable TransactionLocks transactions;

    /** One that goes with transactions, if there are any. */
    static BlockingCall create() {
        return new BlockingCall(TRANSACTIONS ? new TransactionLocks() : null);
    }

    /** @param transactions null if there is no spring-tx */
    BlockingCall(@Nullable TransactionLocks transactions) {
        this.transactions = transactions;
    }

    @Nullable
    Object run(Work work) throws Throwable {
        LockRequest request = work.request();
        Inside outer = Inside.ofThread();
        Grip grip;
        try {
            grip = new Taking(request, outer).await();
        } catch (InterruptedException interrupted) {
            if (work.declaresInterruption()) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            throw Failures.interrupted(request, interrupted);
        } catch (LockException failure) {
            return work.unavailable(failure);
        }
        return grip == null ? work.refused(Failures.notGranted(request)) : run(work, request, grip, outer);
    }

    private @Nullable Object run(Work work, LockRequest request, Grip grip, @Nullable Inside outer) throws Throwable {
        Inside before = Inside.set(new Inside(grip, work.onLost() != OnLost.IGNORE, outer));
        Interruption interruption = null;
        Object result = null;
        Throwable thrown = null;
        try {
            if (transactions != null && work.staysInTransaction()) {
                transactions.keep(grip, work.onLost() != OnLost.IGNORE, request.caller());
            }
            interruption = work.onLost() == OnLost.INTERRUPT ? new Interruption(grip) : null;
            result = work.run(grip);
        } catch (Throwable failure) {
            thrown = failure;
        }
        boolean interrupted = interruption != null && interruption.end();
        Inside.set(before);
        LockLostException loss = grip.end();
        if (loss != null && work.onLost() != OnLost.IGNORE) {
            throw together(thrown, loss, interrupted);
        }
        if (thrown != null) {
            throw thrown;
        }
        return result;
    }

    /** What the work has thrown says more than the loss, unless it comes from the interrupt. */
    private static Throwable together(@Nullable Throwable thrown, LockLostException loss, boolean interrupted) {
        if (thrown == null || thrown == loss) {
            return loss;
        }
        Throwable first = interrupted && !(thrown instanceof LockLostException) ? loss : thrown;
        first.addSuppressed(first == loss ? thrown : loss);
        return first;
    }
}
