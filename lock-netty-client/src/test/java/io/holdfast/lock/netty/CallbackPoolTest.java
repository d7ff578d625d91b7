package io.holdfast.lock.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.holdfast.lock.netty.CallbackPool.CallbackThread;
import io.holdfast.lock.spi.Awaited;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads for code of users, which may wait for anything. */
@Timeout(60)
class CallbackPoolTest {

    private final TimerThread timer = new TimerThread("test-pool-timer");
    private final CallbackPool pool =
            new CallbackPool("test-pool-", timer, Duration.ofMillis(10), Duration.ofMillis(200));
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();

    @AfterEach
    void endEverything() {
        end.countDown();
        pool.close();
        await().until(() -> threads().isEmpty());
        timer.close().toCompletableFuture().join();
    }

    @Test
    void aBlockedThreadKeepsBackNoneOfManyTasks() throws InterruptedException {
        List<Integer> begun = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1_000);
        pool.execute(() -> block());
        await().until(() -> blocked.get() == 1);
        IntStream.range(0, 1_000)
                .forEach(i -> pool.execute(() -> {
                    begun.add(i);
                    done.countDown();
                }));
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(begun)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void threadsThatBlockInAnyWayAreMadeUpFor() {
        for (int i = 0; i < 100; i++) {
            pool.execute(this::block);
        }
        await().until(() -> blocked.get() == 100);
        AtomicInteger ran = new AtomicInteger();
        pool.execute(ran::incrementAndGet);
        await().until(() -> ran.get() == 1);
    }

    /** Others that end at once are no sign that those which block do. By one thread more in 10 ms it would take 2.5 s. */
    @Test
    void manyThatBlockAmongOthersAllBeginSoon() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(250);
        for (int i = 0; i < 250; i++) {
            pool.execute(() -> {
                begun.countDown();
                block();
            });
            pool.execute(() -> {});
        }
        assertThat(begun.await(1, TimeUnit.SECONDS))
                .as("%s have not begun", begun.getCount())
                .isTrue();
    }

    /** Where all block, each look doubles the threads, from two on. For losses the seventh comes after 14 ms. */
    @Test
    void sevenLooksAreEnoughFor250ThatBlock() {
        CallbackPool byHand = new CallbackPool("test-pool-", timer, Duration.ofHours(1), Duration.ofMillis(200));
        for (int i = 0; i < 250; i++) {
            byHand.execute(this::block);
        }
        for (int looks = 0; looks < 7; looks++) {
            byHand.look(250);
        }
        await().until(() -> blocked.get() == 250);
        end.countDown();
        byHand.close();
    }

    @Test
    void threadsLeaveWhenNothingBlocksAnyMore() {
        for (int i = 0; i < 20; i++) {
            pool.execute(this::block);
        }
        await().until(() -> blocked.get() == 20);
        end.countDown();
        await().until(() -> threads().isEmpty());
    }

    @Test
    void atTheBoundOthersWaitAndOneWarningSaysSo() {
        try (Logs logs = new Logs()) {
            List<Boolean> mayWait = new CopyOnWriteArrayList<>();
            ParkingBlocker blocker = new ParkingBlocker(Optional.empty());
            for (int i = 0; i < CallbackPool.MOST_THREADS - 1; i++) {
                pool.execute(this::block);
            }
            await().until(() -> blocked.get() == CallbackPool.MOST_THREADS - 1);
            pool.execute(() -> {
                mayWait.add(blocker.mayWaitForOthers());
                assertThat(blocker.mayWait()).isTrue();
                block();
            });
            await().until(() -> blocked.get() == CallbackPool.MOST_THREADS);
            assertThat(mayWait).containsExactly(false);

            AtomicInteger ran = new AtomicInteger();
            pool.execute(ran::incrementAndGet);
            await().until(() -> !logs.ours(Level.WARN).isEmpty());
            pool.execute(ran::incrementAndGet);
            assertThat(ran).hasValue(0);
            assertThat(threads()).hasSize(CallbackPool.MOST_THREADS);

            end.countDown();
            await().until(() -> ran.get() == 2);
            assertThat(logs.ours(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void aThreadThatWaitsInACallOfOursIsMadeUpForWithoutALook() {
        timer.close().toCompletableFuture().join();
        ParkingBlocker blocker = new ParkingBlocker(Optional.empty());
        AtomicInteger ran = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            pool.execute(() -> {
                assertThat(Thread.currentThread()).isInstanceOf(CallbackThread.class);
                ran.incrementAndGet();
                while (end.getCount() > 0) {
                    blocker.await(waitForTheEnd());
                }
            });
        }
        await().until(() -> ran.get() == 50);
        end.countDown();
        Thread.getAllStackTraces().keySet().stream()
                .filter(CallbackThread.class::isInstance)
                .forEach(blocker::unblock);
    }

    @Test
    void aTaskThatFailsHarmsNeitherItsThreadNorOthers() {
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger flags = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            pool.execute(() -> {
                flags.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                Thread.currentThread().interrupt();
                throw new AssertionError("on purpose");
            });
        }
        pool.execute(ran::incrementAndGet);
        await().until(() -> ran.get() == 1);
        assertThat(threads()).hasSizeLessThan(10);
        assertThat(flags).as("interrupts of the task before").hasValue(0);
    }

    @Test
    void aTaskThatComesAfterTheEndStillRuns() {
        pool.close();
        AtomicInteger ran = new AtomicInteger();
        pool.execute(this::block);
        pool.execute(this::block);
        pool.execute(this::block);
        pool.execute(ran::incrementAndGet);
        await().until(() -> ran.get() == 1);
    }

    private Awaited waitForTheEnd() {
        return new Awaited() {
            @Override
            public boolean isDone() {
                return end.getCount() == 0;
            }

            @Override
            public boolean needsOnlyAnAnswer() {
                return false;
            }
        };
    }

    private void block() {
        blocked.incrementAndGet();
        try {
            end.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("test-pool-") && !name.contains("timer"))
                .toList();
    }
}
