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
 */
public interface RFuture<V extends @Nullable Object> extends Future<V>, CompletionStage<V> {}
