package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    void aValueThatNobodyWaitsForAnyMoreIsGivenBackAtOnce() {
        promise.complete("four");
        future.cancel(false);
        assertThat(givenBack).as("the executor has not had time").containsExactly("four");

        runCallbacks();

        assertThat(givenBack).containsExactly("four");
        assertThat(withdrawn).as("the call had ended").hasValue(0);
    }

    @Test
    void aValueIsGivenBackBeforeAnyDependentRuns() {
        List<List<String>> seen = new ArrayList<>();
        future.whenComplete((value, failure) -> seen.add(List.copyOf(givenBack)));
        promise.complete("four");

        future.completeExceptionally(new IllegalStateException("enough"));

        assertThat(seen).containsExactly(List.of("four"));
    }

    @Test
    void whicheverWayTheUserEndsItTheValueIsGivenBackOnce() {
        promise.complete("four");

        future.completeAsync(() -> 99, Runnable::run);
        future.complete(98);
        future.cancel(true);
        runCallbacks();

        assertThat(future).isCompletedWithValue(99);
        assertThat(givenBack).containsExactly("four");
    }

    @Test
    void aFailureThatNobodyWaitsForLeavesNothingToGiveBack() {
        promise.fail(new IllegalStateException("refused"));

        future.cancel(false);
        runCallbacks();

        assertThat(givenBack).isEmpty();
        assertThat(withdrawn).as("the call had ended").hasValue(0);
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
