package io.holdfast.lock.engine.call;

import io.holdfast.lock.RFuture;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A result that a future tells.
 *
 * <p>The future is completed on the callback executor, never within a step, because completing it runs code of users.
 * Should the user end the future before, by whatever method, the call is withdrawn or its value given back at once, on
 * the user's thread, and before any dependent runs: a dependent may want the very lock (rule 75).
 */
public final class Promise<T, V extends @Nullable Object> extends Pending<T> {

    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(Promise.class, "ended", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Told future;
    private final Executor callbacks;
    private final Function<T, V> view;
    private final Consumer<T> giveBack;
    private volatile @Nullable Runnable withdraw;
    /** The result is being told, or the user has ended the future. */
    @SuppressWarnings("unused") // but by its handle
    private volatile boolean ended;

    /**
     * @param view what the future shows of the value
     * @param giveBack what to do with a value that no caller received
     */
    public Promise(Executor callbacks, Function<T, V> view, Consumer<T> giveBack) {
        this.callbacks = callbacks;
        this.view = view;
        this.giveBack = giveBack;
        this.future = new Told(callbacks);
        // For ways to end it that are none of the future's own methods.
        future.whenComplete((value, failure) -> endedByUser());
    }

    /** A promise of nothing but completion. */
    @SuppressWarnings("NullAway") // the only value that Void has
    public static Promise<Done, Void> ofDone(Executor callbacks) {
        return new Promise<>(callbacks, done -> null, done -> {});
    }

    /** A promise whose value needs no giving back. */
    public static <V> Promise<V, V> of(Executor callbacks) {
        return new Promise<>(callbacks, value -> value, value -> {});
    }

    /** Says what to tell if the user completes the future before the call does. */
    public Promise<T, V> onWithdrawn(Runnable withdraw) {
        this.withdraw = withdraw;
        return this;
    }

    public RFuture<V> future() {
        return future;
    }

    @Override
    public void onSettled() {
        callbacks.execute(this::deliver);
    }

    private void deliver() {
        if (!end()) {
            return;
        }
        Throwable failure = failure();
        if (failure != null) {
            future.tellFailure(failure);
        } else if (!future.tell(view.apply(value()))) {
            giveBack.accept(value());
        }
    }

    private void endedByUser() {
        if (!end()) {
            return;
        }
        if (!abandon()) {
            if (failure() == null) {
                giveBack.accept(value());
            }
            return;
        }
        Runnable told = withdraw;
        if (told != null) {
            told.run();
        }
    }

    private boolean end() {
        return ENDED.compareAndSet(this, false, true);
    }

    /** What the user sees, and may end. */
    private final class Told extends HoldfastFuture<V> {

        Told(Executor callbacks) {
            super(callbacks);
        }

        boolean tell(V value) {
            return super.complete(value);
        }

        void tellFailure(Throwable failure) {
            super.completeExceptionally(failure);
        }

        @Override
        public boolean complete(V value) {
            endedByUser();
            return super.complete(value);
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            endedByUser();
            return super.completeExceptionally(failure);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            endedByUser();
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
