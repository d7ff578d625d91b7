package io.holdfast.lock.netty;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** What several nodes share, closed with the last of them. */
final class SharedClose {

    private final AtomicInteger open;
    private final Supplier<CompletionStage<Void>> close;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    SharedClose(int sharers, Supplier<CompletionStage<Void>> close) {
        this.open = new AtomicInteger(sharers);
        this.close = close;
    }

    /** One sharer is done with it; each waits until all are. */
    CompletionStage<Void> oneLess() {
        if (open.decrementAndGet() == 0) {
            close.get().whenComplete((nothing, failure) -> {
                if (failure == null) {
                    closed.complete(null);
                } else {
                    closed.completeExceptionally(failure);
                }
            });
        }
        return closed;
    }
}
