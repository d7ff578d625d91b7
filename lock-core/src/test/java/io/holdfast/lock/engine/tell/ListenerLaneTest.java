package io.holdfast.lock.engine.tell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.ManualRuntime;
import io.holdfast.lock.engine.call.Callbacks;
import io.holdfast.lock.engine.call.LogLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a listener hears that is slow, or stands still: everything, or how much it has missed; and every loss. */
class ListenerLaneTest {

    private static final int SECOND_MILLIS = 1_000;

    /** Remembers what it heard: the names, and how many were missed. */
    private static class Heard implements LockListener {

        private final List<String> names = new ArrayList<>();
        private final List<Long> missed = new ArrayList<>();

        @Override
        public void acquired(LockEvent event) {
            names.add(event.name());
        }

        @Override
        public void lost(LockEvent event) {
            names.add("lost " + event.name());
        }

        @Override
        public void missed(long events) {
            missed.add(events);
            names.add("missed");
        }
    }

    private final ManualRuntime runtime = new ManualRuntime(1);
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final Heard heard = new Heard();

    /** The listener hears nothing before {@link #goOn}: as if its method did not return. */
    private ListenerLane standingStill() {
        runtime.callbacks(callbacks::add);
        return lane(heard);
    }

    private ListenerLane lane(LockListener listener) {
        return new ListenerLane(
                listener, new Callbacks(runtime, ClientOptions.defaults().callbackExecutor()), new LogLimit(runtime));
    }

    private void goOn() {
        for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
            next.run();
        }
    }

    @Test
    void aListenerHearsInOrder() {
        ListenerLane lane = standingStill();
        tell(lane, "a");
        tell(lane, "b");
        lane.tellLoss(event("c"));
        tell(lane, "d");
        goOn();
        assertThat(heard.names).containsExactly("a", "b", "lost c", "d");
    }

    @Test
    void oneThatStandsStillForAMinuteHearsHowMuchItHasMissed() {
        ListenerLane lane = standingStill();
        for (int i = 0; i < ListenerLane.BACKLOG + 7; i++) {
            tell(lane, "a");
        }
        runtime.advanceMillis(60 * SECOND_MILLIS);
        goOn();
        assertThat(heard.missed).containsExactly(7L);
        assertThat(heard.names).hasSize(ListenerLane.BACKLOG + 1).last().isEqualTo("missed");
        tell(lane, "later");
        goOn();
        assertThat(heard.names).last().isEqualTo("later");
    }

    @Test
    void aLossIsToldBesideItAfterASecondAndOnce() {
        ListenerLane lane = standingStill();
        tell(lane, "a");
        lane.tellLoss(event("b"));
        runtime.advanceMillis(SECOND_MILLIS - 1);
        assertThat(heard.names).isEmpty();
        runtime.advanceMillis(1);
        assertThat(heard.names).containsExactly("lost b");
        goOn();
        assertThat(heard.names).containsExactly("lost b", "a");
    }

    @Test
    void noLossIsMissedHoweverManyWait() {
        ListenerLane lane = standingStill();
        int losses = ListenerLane.BACKLOG + 7;
        for (int i = 0; i < losses; i++) {
            lane.tellLoss(event("b"));
        }
        runtime.advanceMillis(SECOND_MILLIS);
        goOn();
        assertThat(heard.names).hasSize(losses);
        assertThat(heard.missed).isEmpty();
    }

    /** No timer comes any more that could tell them beside the lane. */
    @Test
    void noLossIsMissedWhenTheClientIsClosed() {
        ListenerLane lane = standingStill();
        lane.stopGathering();
        int losses = ListenerLane.BACKLOG + 7;
        for (int i = 0; i < losses; i++) {
            lane.tellLoss(event("b"));
        }
        goOn();
        assertThat(heard.names).hasSize(losses);
    }

    @Test
    void whatIsToldAndWhatIsMissedIsEverythingWhateverTheThreadsDo() throws Exception {
        int threads = 4;
        int each = 100_000;
        AtomicLong told = new AtomicLong();
        AtomicLong missed = new AtomicLong();
        AtomicLong made = new AtomicLong();
        CountDownLatch goOn = new CountDownLatch(1);
        LockListener slow = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                if (told.getAndIncrement() == 0) {
                    awaitQuietly(goOn);
                }
            }

            @Override
            public void missed(long events) {
                missed.addAndGet(events);
            }
        };
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            runtime.callbacks(pool);
            ListenerLane lane = lane(slow);
            LockEvent event = event("a");
            for (int i = 0; i < threads; i++) {
                pool.execute(() -> {
                    for (int n = 0; n < each; n++) {
                        lane.tell(LockListener::acquired, event);
                        if (made.incrementAndGet() == ListenerLane.BACKLOG + 1_000) {
                            goOn.countDown();
                        }
                    }
                });
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(told.get() + missed.get()).isEqualTo((long) threads * each));
            assertThat(missed.get()).isPositive();
        } finally {
            pool.shutdownNow();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(ListenerLane lane, String name) {
        lane.tell(LockListener::acquired, event(name));
    }

    private static LockEvent event(String name) {
        return new Event(
                name,
                "c:1",
                OptionalLong.empty(),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                false,
                false,
                null);
    }
}
