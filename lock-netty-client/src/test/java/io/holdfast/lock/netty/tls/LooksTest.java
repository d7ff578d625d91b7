package io.holdfast.lock.netty.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.concurrent.DefaultEventExecutor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looks that take their time, that hang, and that no thread can be had for. */
class LooksTest {

    private static final long LONG = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(50);

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final AtomicInteger overdue = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Queue<Runnable> begun = new ConcurrentLinkedQueue<>();

    /** Looks begin, and are over when the test runs them. */
    private final Looks looks = new Looks(() -> {}, begun::add, overdue::incrementAndGet);

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void oneLookServesAllThatAskMeanwhile() {
        ask(LONG);
        ask(LONG);
        assertThat(begun).hasSize(1);
        assertThat(done).hasValue(0);
        begun.remove().run();
        await().until(() -> done.get() == 2);
        ask(LONG);
        assertThat(begun).hasSize(1);
        assertThat(overdue).hasValue(0);
    }

    @Test
    void aLookThatHangsIsOvertaken() {
        ask(SHORT);
        await().until(() -> done.get() == 1);
        assertThat(overdue).hasValue(1);
        ask(LONG);
        assertThat(begun).hasSize(2);
        begun.remove();
        begun.remove().run();
        await().until(() -> done.get() == 2);
        assertThat(overdue).hasValue(1);
    }

    @Test
    void aLookThatEndsLateServesNothingTwice() throws Exception {
        ask(SHORT);
        await().until(() -> done.get() == 1);
        begun.remove().run();
        loop.submit(() -> {}).get();
        assertThat(done).hasValue(1);
    }

    @Test
    void fewLooksHangAtATime() {
        for (int i = 1; i <= 10; i++) {
            int asked = i;
            ask(SHORT);
            await().until(() -> done.get() == asked);
        }
        assertThat(begun).hasSize(4);
        begun.remove().run();
        ask(LONG);
        assertThat(begun).hasSize(4);
    }

    @Test
    void whereNoThreadStartsThereIsNoLookAndTheNextOneIsTried() {
        CountDownLatch looked = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        Looks barren = new Looks(
                looked::countDown,
                task -> {
                    if (tries.incrementAndGet() <= 10) {
                        throw new RejectedExecutionException("no thread");
                    }
                    task.run();
                },
                overdue::incrementAndGet);
        for (int i = 1; i <= 11; i++) {
            int asked = i;
            barren.ask(loop, LONG, done::incrementAndGet);
            await().until(() -> done.get() == asked);
        }
        assertThat(looked.getCount()).isZero();
        assertThat(overdue).hasValue(0);
    }

    private void ask(long patienceNanos) {
        looks.ask(loop, patienceNanos, done::incrementAndGet);
    }
}
