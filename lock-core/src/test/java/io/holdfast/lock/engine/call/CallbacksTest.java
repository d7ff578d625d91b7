package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ManualRuntime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The way to code of users, whatever executor they have chosen (rule 74). */
class CallbacksTest {

    private final ManualRuntime runtime = new ManualRuntime(1);
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final Deque<Runnable> ours = new ArrayDeque<>();
    private final Deque<Runnable> lossLane = new ArrayDeque<>();
    private final Deque<Runnable> electionLane = new ArrayDeque<>();
    private final List<String> ran = new ArrayList<>();

    @BeforeEach
    void takeTheTasksOfEachLane() {
        runtime.steps(steps::add);
        runtime.callbacks(ours::add);
        runtime.losses(lossLane::add);
        runtime.elections(electionLane::add);
    }

    @Test
    void withoutAChoiceItRunsOnThreadsOfTheRuntime() {
        Callbacks callbacks = new Callbacks(runtime, Optional.empty());
        callbacks.execute(() -> ran.add("callback"));
        callbacks.tellLoss(() -> ran.add("loss"));
        callbacks.tellElection(() -> ran.add("election"));

        assertThat(ran).isEmpty();
        runAll(ours);
        assertThat(ran).containsExactly("callback");
        runAll(lossLane);
        assertThat(ran).containsExactly("callback", "loss");
        runAll(electionLane);
        assertThat(ran).containsExactly("callback", "loss", "election");
        assertThat(runtime.timers()).isZero();
    }

    @Test
    void aDirectExecutorNeverRunsATaskOnTheThreadThatBringsIt() {
        Callbacks callbacks = chosen(Runnable::run);
        callbacks.execute(() -> ran.add("callback"));
        callbacks.tellLoss(() -> ran.add("loss"));

        assertThat(ran).isEmpty();
        runAll(steps);
        assertThat(ran).containsExactly("callback", "loss");
        assertThat(ours).isEmpty();
    }

    @Test
    void whatTheExecutorRefusesRunsOnAThreadOfTheRuntime() {
        Callbacks callbacks = chosen(task -> {
            throw new RejectedExecutionException("on purpose: full");
        });
        callbacks.execute(() -> ran.add("callback"));
        runAll(steps);

        assertThat(ran).isEmpty();
        runAll(ours);
        assertThat(ran).containsExactly("callback");
    }

    @Test
    void anExecutorThatThrowsAndYetRunsTheTaskRunsItOnce() {
        Deque<Runnable> queued = new ArrayDeque<>();
        Callbacks callbacks = chosen(task -> {
            queued.add(task);
            throw new InternalError("on purpose: queued, but no more threads");
        });
        callbacks.execute(() -> ran.add("callback"));
        runAll(steps);
        runAll(queued);
        runAll(ours);

        assertThat(ran).containsExactly("callback");
    }

    @Test
    void whenTheConnectionsHaveEndedItIsAskedElsewhere() {
        runtime.steps(task -> {
            throw new RejectedExecutionException("on purpose: closed");
        });
        chosen(Runnable::run).execute(() -> ran.add("callback"));

        assertThat(ran).isEmpty();
        runAll(ours);
        assertThat(ran).containsExactly("callback");
    }

    @Test
    void aLossWaitsForTheChosenExecutorForASecondAtMost() {
        Deque<Runnable> busy = new ArrayDeque<>();
        Callbacks callbacks = chosen(busy::add);
        callbacks.tellLoss(() -> ran.add("loss"));
        callbacks.tellElection(() -> ran.add("election"));
        runAll(steps);
        runtime.advanceMillis(999);
        assertThat(lossLane).isEmpty();

        runtime.advanceMillis(1);
        runAll(lossLane);
        assertThat(ran).containsExactly("loss");
        runAll(electionLane);
        runAll(busy);
        assertThat(ran).as("when the executor has time after all").containsExactly("loss", "election");
    }

    @Test
    void whereNoThreadCanBeHadTheTaskRunsLater() {
        runtime.callbacks(task -> {
            throw new OutOfMemoryError("on purpose: no more threads");
        });
        new Callbacks(runtime, Optional.empty()).execute(() -> ran.add("callback"));
        runtime.callbacks(ours::add);
        runtime.advanceMillis(100);
        runAll(ours);

        assertThat(ran).containsExactly("callback");
    }

    private Callbacks chosen(Executor executor) {
        return new Callbacks(runtime, Optional.of(executor));
    }

    private static void runAll(Deque<Runnable> tasks) {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }
}
