package io.holdfast.lock.spring;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.text.Printable;
import java.util.Objects;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;

/** One call of a {@link Locked} method. */
final class AnnotatedWork implements Work {

    private static final Logger log = LoggerFactory.getLogger(AnnotatedWork.class);

    private final LockPlan plan;
    private final MethodInvocation invocation;
    private final SkippedCalls skipped;

    AnnotatedWork(LockPlan plan, MethodInvocation invocation, SkippedCalls skipped) {
        this.plan = plan;
        this.invocation = invocation;
        this.skipped = skipped;
    }

    @Override
    public LockRequest request() {
        return plan.request(invocation.getThis(), arguments());
    }

    @Override
    public @Nullable Object run(Grip grip) throws Throwable {
        Object result = invocation(grip).proceed();
        if (plan.result().form() == ResultKind.Form.AT_ONCE && result != null && ResultKind.comesLater(result)) {
            throw new IllegalStateException(Printable.message("@Locked on " + plan.shown() + ": its result, a "
                    + result.getClass().getName()
                    + ", comes later, and the lock would not be held until then (expected: a"
                    + " method that declares the type)"));
        }
        return result;
    }

    /** Any of them may be null. Compilers before JDK 22 do not tell NullAway so of another library's array, and later ones do. */
    @SuppressWarnings("NullAway")
    private Object[] arguments() {
        return invocation.getArguments();
    }

    /** The invocation, with the hold filled in, and the coroutine followed. */
    private MethodInvocation invocation(Grip grip) {
        boolean suspending = plan.result().form() == ResultKind.Form.SUSPENDING;
        if ((plan.holds().isEmpty() && !suspending) || !(invocation instanceof ProxyMethodInvocation proxied)) {
            return invocation;
        }
        Object[] arguments = arguments().clone();
        for (int hold : plan.holds()) {
            arguments[hold] = grip.lent();
        }
        Inside inside = Inside.ofThread();
        if (suspending && inside != null) {
            Coroutines.follow(arguments, inside);
        }
        proxied.setArguments(arguments);
        return proxied;
    }

    @Override
    public @Nullable Object refused(LockTimeoutException failure) throws Throwable {
        return switch (plan.onTimeout()) {
            case THROW -> throw failure;
            case SKIP -> skip(failure);
            case FALLBACK -> fallback(failure);
        };
    }

    @Override
    public @Nullable Object unavailable(LockException failure) throws Throwable {
        if (plan.onUnavailable() == OnUnavailable.THROW) {
            throw failure;
        }
        return fallback(failure);
    }

    private @Nullable Object skip(LockTimeoutException failure) {
        skipped.skipped(plan.shown());
        if (plan.skippedBefore().compareAndSet(false, true)) {
            log.info(
                    "skipped: {}; further skips of this method are counted only",
                    Printable.message(failure.getMessage()));
        }
        Supplier<@Nullable Object> empty = plan.empty();
        return empty == null ? null : empty.get();
    }

    private @Nullable Object fallback(LockException failure) throws Throwable {
        return Objects.requireNonNull(plan.fallback()).call(invocation.getThis(), arguments(), failure);
    }

    @Override
    public OnLost onLost() {
        return plan.onLost();
    }

    @Override
    public boolean staysInTransaction() {
        return plan.release() == Release.AFTER_TRANSACTION;
    }

    @Override
    public boolean declaresInterruption() {
        return plan.declaresInterruption();
    }
}
