package io.holdfast.lock.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call whose result is a stage. The lock is held until the stage of the work has completed. To cancel the result cancels that
 * stage; work that goes on nevertheless has the lock for as long.
 */
final class StageCall extends LaterCall {

    private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>() {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            giveUp();
            return cancelled;
        }
    };
    private volatile @Nullable CompletionStage<?> source;
    private volatile @Nullable Object value;

    private StageCall(Work work) {
        super(work);
    }

    static CompletableFuture<@Nullable Object> start(Work work) {
        StageCall call = new StageCall(work);
        call.start(Inside.ofThread());
        return call.result;
    }

    @Override
    void begin(@Nullable Object begun, @Nullable Grip held, @Nullable Inside inside) {
        if (!(begun instanceof CompletionStage<?> stage)) {
            sourceEnded(null);
            return;
        }
        source = stage;
        stage.whenComplete((completed, failure) -> {
            value = completed;
            sourceEnded(
                    failure instanceof CompletionException wrapped && wrapped.getCause() != null
                            ? wrapped.getCause()
                            : failure);
        });
        if (result.isCancelled()) {
            stop();
        }
    }

    @Override
    void stop() {
        CompletionStage<?> begun = source;
        if (begun instanceof CompletableFuture<?> future) {
            future.cancel(true);
        } else if (begun != null) {
            try {
                begun.toCompletableFuture().cancel(true);
            } catch (UnsupportedOperationException notPossible) {
                // It ends by itself, and the lock is held until then.
                return;
            }
        }
    }

    @Override
    boolean isOverWhenStopped() {
        return false;
    }

    @Override
    void finish(@Nullable Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(failure);
        }
    }
}
