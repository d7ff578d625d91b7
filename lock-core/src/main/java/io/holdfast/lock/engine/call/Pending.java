package io.holdfast.lock.engine.call;

import io.holdfast.lock.text.Printable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The result of one call. It is settled exactly once: by a value, by a failure, or by the caller's giving up. */
public abstract class Pending<T> {

    private static final VarHandle OUTCOME;
    private static final Object ABANDONED = new Object();

    static {
        try {
            OUTCOME = MethodHandles.lookup().findVarHandle(Pending.class, "outcome", Object.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile @Nullable Object outcome;

    private record Failure(Throwable cause) {}

    public final boolean isSettled() {
        return outcome != null;
    }

    /** Settles the call with a value, unless it was settled before: then no caller received the value. */
    public final boolean complete(T value) {
        return settle(value);
    }

    /**
     * Settles the call with a value, as {@link #complete} does, but tells no dependent: what belongs to the value is made
     * visible first, and then comes {@link #onSettled}.
     */
    public final boolean decide(T value) {
        return OUTCOME.compareAndSet(this, null, value);
    }

    /** Settles the call with a failure, unless it was settled before. */
    public final boolean fail(Throwable cause) {
        return settle(new Failure(cause));
    }

    /** The caller does not want the result any more; false if it was settled before, and then it stands. */
    public final boolean abandon() {
        return OUTCOME.compareAndSet(this, null, ABANDONED);
    }

    private boolean settle(Object result) {
        if (!OUTCOME.compareAndSet(this, null, result)) {
            return false;
        }
        onSettled();
        return true;
    }

    /** Tells the caller. Called once, within a step: must not block and must not run code of users. */
    public abstract void onSettled();

    /**
     * Called within a step, once or several times: the call has to wait for others or for a fault to pass, and not just
     * for an answer.
     */
    public void onMadeToWait() {}

    /** The failure of a settled result, or null if it has a value. */
    public final @Nullable Throwable failure() {
        return outcome instanceof Failure failure ? failure.cause() : null;
    }

    /** The value of a result that is settled and has not failed. */
    @SuppressWarnings("unchecked")
    public final T value() {
        Object result = outcome;
        if (result == null || result == ABANDONED || result instanceof Failure) {
            throw new IllegalStateException("no value: " + Printable.message(result));
        }
        return (T) result;
    }
}
