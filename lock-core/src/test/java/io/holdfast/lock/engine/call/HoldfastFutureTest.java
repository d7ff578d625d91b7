package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The future that users see. */
class HoldfastFutureTest {
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private final HoldfastFuture<String> future = new HoldfastFuture<>(callbacks::add);

    @Test
    void itIsACompletableFutureItself() {
        assertThat(future.toCompletableFuture()).isSameAs(future);
    }

    @Test
    void asynchronousDependentsRunOnTheCallbackExecutor() {
        List<String> seen = new ArrayList<>();
        future.thenAcceptAsync(seen::add);

        future.complete("a");
        assertThat(seen).isEmpty();
        callbacks.poll().run();

        assertThat(seen).containsExactly("a");
    }

    @Test
    void soDoTheDependentsOfDependents() {
        CompletableFuture<Integer> dependent = future.thenApply(String::length);
        CompletableFuture<Integer> last = dependent.thenApplyAsync(length -> length + 1);

        future.complete("four");
        assertThat(dependent).isInstanceOf(HoldfastFuture.class).isCompletedWithValue(4);
        assertThat(last).isNotDone();
        callbacks.poll().run();

        assertThat(last).isCompletedWithValue(5);
    }
}
