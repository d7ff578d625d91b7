package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.spi.Awaited;
import io.netty.channel.DefaultEventLoopGroup;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ParkingBlockerTest {

    private final ParkingBlocker blocker = new ParkingBlocker(Optional.empty());

    private static final class Wait implements Awaited {

        private final AtomicBoolean done = new AtomicBoolean();
        private final AtomicInteger looks = new AtomicInteger();
        /** From which look on more than an answer is missing. */
        private final int answerOnlyUntil;

        Wait(int answerOnlyUntil) {
            this.answerOnlyUntil = answerOnlyUntil;
        }

        @Override
        public boolean isDone() {
            looks.incrementAndGet();
            return done.get();
        }

        @Override
        public boolean needsOnlyAnAnswer() {
            return looks.get() < answerOnlyUntil;
        }
    }

    @Test
    void returnsAtOnceWhenItIsDone() {
        Wait wait = new Wait(Integer.MAX_VALUE);
        wait.done.set(true);
        blocker.await(wait);
        assertThat(wait.looks).hasValue(1);
    }

    @Test
    void waitsUntilItIsDone() throws InterruptedException {
        Wait wait = new Wait(Integer.MAX_VALUE);
        Thread waiter = parked(wait);
        blocker.unblock(waiter);
        LockSupport.unpark(waiter);
        assertThat(waiter.isAlive()).isTrue();
        end(wait, waiter);
    }

    @Test
    void whoWaitsForOthersParksAtOnce() throws InterruptedException {
        Wait wait = new Wait(0);
        Thread waiter = parked(wait);
        assertThat(wait.looks).hasValueLessThanOrEqualTo(2);
        end(wait, waiter);
    }

    @Test
    void whoLearnsThatItHasToWaitForOthersStopsSpinning() throws InterruptedException {
        Wait wait = new Wait(3);
        Thread waiter = parked(wait);
        assertThat(wait.looks).hasValueLessThanOrEqualTo(4);
        end(wait, waiter);
    }

    @Test
    void whereAnswersComeLateItParksAtOnceButForATrialNowAndThen() throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            Wait late = new Wait(Integer.MAX_VALUE);
            end(late, parked(late));
        }
        int trials = 0;
        for (int i = 0; i < 64; i++) {
            Wait wait = new Wait(Integer.MAX_VALUE);
            Thread waiter = parked(wait);
            trials += wait.looks.get() > 2 ? 1 : 0;
            end(wait, waiter);
        }
        assertThat(trials).isLessThanOrEqualTo(2);
    }

    private Thread parked(Wait wait) {
        Thread waiter = new Thread(() -> blocker.await(wait));
        waiter.start();
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        return waiter;
    }

    private void end(Wait wait, Thread waiter) throws InterruptedException {
        wait.done.set(true);
        blocker.unblock(waiter);
        waiter.join(5_000);
        assertThat(waiter.isAlive()).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitAndKeepsItsFlag() throws Exception {
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            blocker.await(new Wait(Integer.MAX_VALUE));
            flag.complete(Thread.currentThread().isInterrupted());
        });
        waiter.start();
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        waiter.interrupt();
        assertThat(flag.get(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anInterruptedThreadDoesNotWaitAtAll() {
        Thread.currentThread().interrupt();
        blocker.await(new Wait(Integer.MAX_VALUE));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aPoolThatCannotGrowWaitsWithTheThreadsThatItHas() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(
                1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, false, 1, 1, 1, null, 1, TimeUnit.SECONDS);
        try {
            Wait wait = new Wait(0);
            AtomicReference<Thread> waiter = new AtomicReference<>();
            ForkJoinTask<?> waiting = pool.submit(() -> {
                waiter.set(Thread.currentThread());
                blocker.await(wait);
                assertThat(wait.done).isTrue();
            });
            await().until(() ->
                    waiting.isDone() || (waiter.get() != null && waiter.get().getState() == Thread.State.WAITING));
            wait.done.set(true);
            blocker.unblock(waiter.get());
            waiting.get(5, TimeUnit.SECONDS);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aPoolThatIsBeingStoppedLetsItsWaitersSleep() throws InterruptedException {
        ForkJoinPool pool = new ForkJoinPool(1);
        Wait wait = new Wait(0);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        AtomicInteger interrupts = new AtomicInteger();
        pool.execute(() -> {
            waiter.set(Thread.currentThread());
            while (!wait.done.get()) {
                blocker.await(wait);
                if (Thread.interrupted()) {
                    interrupts.incrementAndGet();
                }
            }
        });
        await().until(() -> waiter.get() != null && waiter.get().getState() == Thread.State.WAITING);
        pool.shutdownNow();
        await().until(() -> interrupts.get() > 0 && waiter.get().getState() == Thread.State.WAITING);
        wait.done.set(true);
        blocker.unblock(waiter.get());
        assertThat(pool.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }

    /** Row 46. */
    @Test
    void threadsThatServeConnectionsMayNotWait() {
        NettyRuntime runtime = NettyRuntime.start("blocking", 1, IoTransport.NIO, Optional.empty());
        try {
            CompletableFuture<Boolean> onTimer = new CompletableFuture<>();
            runtime.after(0, () -> onTimer.complete(runtime.blocker().mayWait()));
            assertThat(onTimer.orTimeout(5, TimeUnit.SECONDS).join()).isFalse();

            CompletableFuture<Boolean> onCallback = new CompletableFuture<>();
            runtime.callbacks()
                    .execute(() -> onCallback.complete(runtime.blocker().mayWait()));
            assertThat(onCallback.orTimeout(5, TimeUnit.SECONDS).join()).isTrue();
            assertThat(runtime.blocker().mayWait()).isTrue();
        } finally {
            runtime.close().toCompletableFuture().join();
        }
    }

    /** Row 46: callbacks on an event loop of the user's choice. */
    @Test
    void anEventLoopGivenForCallbacksMayNotWait() throws Exception {
        DefaultEventLoopGroup group = new DefaultEventLoopGroup(1);
        try {
            ParkingBlocker onLoop = new ParkingBlocker(Optional.of(group));
            assertThat(group.submit(onLoop::mayWait).get()).isFalse();
            assertThat(onLoop.mayWait()).isTrue();
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }
}
