package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A result that a future tells, and what becomes of it when nobody listens any more. */
class PromiseTest {
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private final List<String> givenBack = new ArrayList<>();
    private final AtomicInteger withdrawn = new AtomicInteger();
    private final Promise<String, Integer> promise = new Promise<String, Integer>(
                    callbacks::add, String::length, givenBack::add)
            .onWithdrawn(withdrawn::incrementAndGet);
    private final CompletableFuture<Integer> future = promise.future().toCompletableFuture();

    @Test
    void theFutureIsCompletedOnTheCallbackExecutorOnly() {
        List<Integer> seen = new ArrayList<>();
        future.thenAccept(seen::add);

        assertThat(promise.complete("four")).isTrue();
        assertThat(future).isNotDone();
        assertThat(seen).isEmpty();
        runCallbacks();

        assertThat(future).isCompletedWithValue(4);
        assertThat(seen).containsExactly(4);
        assertThat(givenBack).isEmpty();
        assertThat(withdrawn).hasValue(0);
    }

    @Test
    void whatIsSettledStaysSettled() {
        IllegalStateException failure = new IllegalStateException("first");
        assertThat(promise.fail(failure)).isTrue();

        assertThat(promise.complete("late")).isFalse();
        assertThat(promise.fail(new IllegalStateException("second"))).isFalse();
        assertThat(promise.abandon()).isFalse();

        assertThat(callbacks).hasSize(1);
        runCallbacks();
        assertThat(future).isCompletedExceptionally();
        assertThat(promise.failure()).isSameAs(failure);
        assertThat(withdrawn).hasValue(0);
    }

    @Test
    void cancellingWithdrawsTheCallOnceAndRefusesALaterValue() {
        assertThat(future.cancel(false)).isTrue();
        future.cancel(true);

        assertThat(withdrawn).hasValue(1);
        assertThat(promise.isSettled()).isTrue();
        assertThat(promise.complete("late"))
                .as("the caller of complete() keeps the value")
                .isFalse();
        assertThat(callbacks).isEmpty();
    }

    @Test
    void completingTheFutureByHandWithdrawsTheCallToo() {
        future.complete(99);

        assertThat(withdrawn).hasValue(1);
        assertThat(promise.complete("late")).isFalse();
    }

    @Test
    void aTimeoutWithdrawsTheCall() {
        future.orTimeout(1, TimeUnit.MILLISECONDS);

        await().untilAsserted(() -> assertThat(withdrawn).hasValue(1));
        assertThat(future).isCompletedExceptionally();
        assertThat(future.handle((value, failure) -> failure).join()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aValueThatMetACancelledFutureIsGivenBack() {
        promise.complete("four");
        future.cancel(false);
        assertThat(givenBack).isEmpty();

        runCallbacks();

        assertThat(givenBack).containsExactly("four");
        assertThat(withdrawn).as("the call had ended").hasValue(0);
    }

    @Test
    void whereTheExecutorRefusesTheFutureIsCompletedAllTheSame() {
        Promise<String, String> closed = Promise.of(task -> {
            throw new RejectedExecutionException("closed");
        });

        closed.complete("value");

        assertThat(closed.future().toCompletableFuture()).isCompletedWithValue("value");
    }

    @Test
    void anExecutorThatThrowsAndRunsTheTaskAllTheSameDoesNotGiveBackWhatWasTaken() {
        Promise<String, Integer> both = new Promise<>(
                task -> {
                    callbacks.add(task);
                    throw new InternalError("on purpose: queued, but no more threads");
                },
                String::length,
                givenBack::add);

        both.complete("four");
        runCallbacks();

        assertThat(both.future().toCompletableFuture()).isCompletedWithValue(4);
        assertThat(givenBack).isEmpty();
    }

    @Test
    void onlyAValueCanBeAskedFor() {
        assertThatIllegalStateException().isThrownBy(promise::value);
        promise.abandon();
        assertThatIllegalStateException().isThrownBy(promise::value);
    }

    private void runCallbacks() {
        while (!callbacks.isEmpty()) {
            callbacks.poll().run();
        }
    }
}
