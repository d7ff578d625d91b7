package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps, one at a time. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SerialGateTest {
    private final Deque<Runnable> relief = new ArrayDeque<>();
    private final SerialGate gate = new SerialGate(relief::add);
    private final List<Integer> ran = new ArrayList<>();

    @Test
    void aStepRunsOnTheThreadThatBringsIt() {
        List<Thread> threads = new ArrayList<>();

        gate.run(() -> threads.add(Thread.currentThread()));

        assertThat(threads).containsExactly(Thread.currentThread());
        assertThat(relief).isEmpty();
    }

    @Test
    void aStepBroughtFromWithinAStepRunsAfterIt() {
        gate.run(() -> {
            gate.run(() -> ran.add(2));
            gate.run(() -> ran.add(3));
            ran.add(1);
        });

        assertThat(ran).containsExactly(1, 2, 3);
    }

    @Test
    void aCallerRunsABoundedNumberOfStepsAndPassesOnTheRest() {
        gate.run(() -> IntStream.range(1, 300).forEach(i -> gate.run(() -> ran.add(i))));

        assertThat(ran).hasSize(127);
        assertThat(relief).hasSize(1);
        gate.run(() -> ran.add(300));
        assertThat(ran).as("while the rest waits for the executor").hasSize(127);

        while (!relief.isEmpty()) {
            relief.poll().run();
        }
        assertThat(ran).isEqualTo(IntStream.rangeClosed(1, 300).boxed().toList());
    }

    @Test
    void whereTheExecutorRefusesTheCallerGoesOn() {
        SerialGate alone = new SerialGate(task -> {
            throw new RejectedExecutionException("closed");
        });

        alone.run(() -> IntStream.range(0, 300).forEach(i -> alone.run(() -> ran.add(i))));
        alone.runElsewhere(() -> ran.add(300));

        assertThat(ran).isEqualTo(IntStream.rangeClosed(0, 300).boxed().toList());
    }

    @Test
    void anExecutorThatThrowsWhateverStallsNothing() {
        SerialGate alone = new SerialGate(task -> {
            throw new InternalError("on purpose: no more threads");
        });

        alone.runElsewhere(() -> ran.add(1));
        alone.run(() -> ran.add(2));

        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void anExecutorThatThrowsAndRunsTheRestAllTheSameRunsNothingTwice() {
        SerialGate both = new SerialGate(task -> {
            relief.add(task);
            throw new InternalError("on purpose: queued, but no more threads");
        });

        both.runElsewhere(() -> {
            relief.poll().run();
            ran.add(1);
            both.run(() -> ran.add(2));
            ran.add(3);
        });

        assertThat(ran).containsExactly(1, 3, 2);
    }

    @Test
    void aStepForElsewhereDoesNotRunOnTheCaller() {
        gate.runElsewhere(() -> ran.add(1));
        gate.run(() -> ran.add(2));
        assertThat(ran).isEmpty();

        relief.poll().run();

        assertThat(ran).containsExactly(1, 2);
        assertThat(relief).isEmpty();
    }

    @Test
    void aStepThatThrowsStopsNeitherTheCallerNorTheGate() {
        gate.run(() -> {
            gate.run(() -> ran.add(1));
            throw new IllegalStateException("on purpose");
        });
        gate.run(() -> {
            throw new AssertionError("on purpose");
        });
        gate.run(() -> ran.add(2));

        assertThat(ran).containsExactly(1, 2);
    }

    @Test
    void aStepWithItsArgumentsRunsAtOnceAndFromWithinAStepAfterIt() {
        gate.run(List::add, ran, 1);
        gate.run(() -> {
            gate.run(List::add, ran, 3);
            ran.add(2);
        });

        assertThat(ran).containsExactly(1, 2, 3);
    }

    @Test
    void aStepWithArgumentsThatThrowsStopsNeitherCallerNorGate() {
        gate.run(List::add, List.of(), 1);
        gate.run(List::add, ran, 1);

        assertThat(ran).containsExactly(1);
    }

    @Test
    void stepsOfManyThreadsNeverOverlapAndKeepTheOrderOfEachThread() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(5);
        try {
            SerialGate shared = new SerialGate(pool);
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger overlaps = new AtomicInteger();
            int[] last = {-1, -1, -1, -1};
            int[] disorder = {0};
            CountDownLatch done = new CountDownLatch(4 * 5_000);
            for (int thread = 0; thread < 4; thread++) {
                int me = thread;
                pool.execute(() -> IntStream.range(0, 5_000)
                        .forEach(i -> shared.run(() -> {
                            overlaps.addAndGet(inside.getAndIncrement());
                            disorder[0] += last[me] == i - 1 ? 0 : 1;
                            last[me] = i;
                            inside.decrementAndGet();
                            done.countDown();
                        })));
            }

            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(overlaps).hasValue(0);
            assertThat(disorder[0]).isZero();
        } finally {
            pool.shutdownNow();
        }
    }
}
