package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.IoTransport;
import io.netty.channel.DefaultEventLoopGroup;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ParkingBlockerTest {

    private final ParkingBlocker blocker = new ParkingBlocker(Runnable::run);

    @Test
    void returnsAtOnceWhenItIsDone() {
        blocker.await(() -> true);
    }

    @Test
    void waitsUntilItIsDone() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread waiter = new Thread(() -> blocker.await(done::get));
        waiter.start();
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        blocker.unblock(waiter);
        LockSupport.unpark(waiter);
        assertThat(waiter.isAlive()).isTrue();
        done.set(true);
        blocker.unblock(waiter);
        waiter.join(5_000);
        assertThat(waiter.isAlive()).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitAndKeepsItsFlag() throws Exception {
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            blocker.await(() -> false);
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
        blocker.await(() -> false);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void waitingCallbacksDoNotStarveOthers() throws InterruptedException {
        ForkJoinPool pool = CallbackPool.create("test-callback-");
        try {
            int count = 100;
            AtomicBoolean done = new AtomicBoolean();
            CountDownLatch finished = new CountDownLatch(count);
            AtomicInteger waiting = new AtomicInteger();
            for (int i = 0; i < count; i++) {
                pool.execute(() -> {
                    Thread me = Thread.currentThread();
                    waiting.incrementAndGet();
                    while (!done.get()) {
                        blocker.await(done::get);
                    }
                    assertThat(me.getName()).startsWith("test-callback-");
                    finished.countDown();
                });
            }
            await().until(() -> waiting.get() == count);
            pool.execute(() -> done.set(true));
            await().until(done::get);
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("test-callback-"))
                    .forEach(blocker::unblock);
            assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }
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
            ParkingBlocker onLoop = new ParkingBlocker(group);
            assertThat(group.submit(onLoop::mayWait).get()).isFalse();
            assertThat(onLoop.mayWait()).isTrue();
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }
}
