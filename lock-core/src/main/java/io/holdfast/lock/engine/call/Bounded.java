package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Timer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A result that is settled when a time is over, if nothing has settled it by then; else its timer is cancelled. */
public final class Bounded<T> extends Pending<T> {

    private final Pending<T> result;
    private volatile @Nullable Timer timer;

    private Bounded(Pending<T> result) {
        this.result = result;
    }

    /**
     * A bound of a result.
     *
     * @param after sets the timer
     * @param late settles what is not settled by then
     */
    public static <T> Pending<T> of(Pending<T> result, Function<Runnable, Timer> after, Consumer<Pending<T>> late) {
        Bounded<T> bounded = new Bounded<>(result);
        bounded.timer = after.apply(() -> {
            if (!bounded.isSettled()) {
                late.accept(bounded);
            }
        });
        return bounded;
    }

    @Override
    public void onSettled() {
        Timer set = timer;
        if (set != null) {
            set.cancel();
        }
        Throwable failure = failure();
        if (failure == null) {
            result.complete(value());
        } else {
            result.fail(failure);
        }
    }
}
