package io.holdfast.lock;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The result of an asynchronous call: a {@link Future} and a {@link CompletionStage} in one.
 *
 * <p>{@link #toCompletableFuture()} returns this very object. Dependent stages run on the client's callback executor,
 * where calling a blocking method is allowed. Cancelling the future, or completing it in any other way, withdraws the
 * call: a lock that is granted nevertheless is given back.
 *
 * <p>The callback executor completes it. While that has no thread left, because its callbacks block, {@code get()} waits although
 * the call has ended. Blocking methods do not need the executor.
 */
public interface RFuture<V extends @Nullable Object> extends Future<V>, CompletionStage<V> {}
