package io.holdfast.lock.engine;

import io.holdfast.lock.RFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A result that a future tells.
 *
 * <p>The future is completed on the callback executor, never within a step, because completing it runs code of users.
 * Should the user have completed the future in between, the value reaches nobody and is given back.
 */
final class Promise<T, V> extends Pending<T> {

    private final HoldfastFuture<V> future;
    private final Executor callbacks;
    private final Function<T, V> view;
    private final Consumer<T> giveBack;
    private volatile @Nullable Runnable withdraw;

    /**
     * @param view what the future shows of the value
     * @param giveBack what to do with a value that reached nobody
     */
    Promise(Executor callbacks, Function<T, V> view, Consumer<T> giveBack) {
        this.future = new HoldfastFuture<>(callbacks);
        this.callbacks = callbacks;
        this.view = view;
        this.giveBack = giveBack;
        future.whenComplete((value, failure) -> {
            if (abandon()) {
                Runnable told = withdraw;
                if (told != null) {
                    told.run();
                }
            }
        });
    }

    /** A promise of nothing but completion. */
    @SuppressWarnings("NullAway") // the only value that Void has
    static Promise<Done, Void> ofDone(Executor callbacks) {
        return new Promise<>(callbacks, done -> null, done -> {});
    }

    /** A promise whose value needs no giving back. */
    static <V> Promise<V, V> of(Executor callbacks) {
        return new Promise<>(callbacks, value -> value, value -> {});
    }

    /** Says whom to tell if the user completes the future before the call does. */
    Promise<T, V> onWithdrawn(Runnable withdraw) {
        this.withdraw = withdraw;
        return this;
    }

    RFuture<V> future() {
        return future;
    }

    @Override
    void onSettled() {
        if (!Errand.send(callbacks, this::deliver)) {
            deliver();
        }
    }

    private void deliver() {
        Throwable failure = failure();
        if (failure != null) {
            future.completeExceptionally(failure);
        } else if (!future.complete(view.apply(value()))) {
            giveBack.accept(value());
        }
    }
}
