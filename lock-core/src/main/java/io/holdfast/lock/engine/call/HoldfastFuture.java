package io.holdfast.lock.engine.call;

import io.holdfast.lock.RFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The future that users see. Its asynchronous dependents run on the client's callback executor. */
public class HoldfastFuture<V extends @Nullable Object> extends CompletableFuture<V> implements RFuture<V> {

    private final Executor callbacks;

    public HoldfastFuture(Executor callbacks) {
        this.callbacks = callbacks;
    }

    @Override
    public Executor defaultExecutor() {
        return callbacks;
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new HoldfastFuture<>(callbacks);
    }
}
