package io.holdfast.lock.engine.tell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.engine.ManualRuntime;
import io.holdfast.lock.engine.call.Callbacks;
import io.holdfast.lock.engine.call.LogLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Where a runtime has events gathered, its threads are woken once for many, and nothing comes late that must not. */
class GatheredEventsTest {

    private final ManualRuntime runtime = new ManualRuntime(1);
    private final List<String> heard = new ArrayList<>();
    private int wakeUps;

    private final ListenerLane lane = gatheringLane();

    private ListenerLane gatheringLane() {
        runtime.gathering(Duration.ofMillis(1).toNanos());
        runtime.callbacks(task -> {
            wakeUps++;
            task.run();
        });
        LockListener listener = new LockListener() {
            @Override
            public void released(LockEvent event) {
                heard.add(event.name());
            }

            @Override
            public void lost(LockEvent event) {
                heard.add("lost " + event.name());
            }
        };
        return new ListenerLane(
                listener, new Callbacks(runtime, ClientOptions.defaults().callbackExecutor()), new LogLimit(runtime));
    }

    @Test
    void manyEventsWakeOneThread() {
        for (int i = 0; i < 1_000; i++) {
            released("a");
        }
        assertThat(heard).isEmpty();
        runtime.advanceMillis(1);
        assertThat(heard).hasSize(1_000);
        assertThat(wakeUps).isLessThan(20);
        released("b");
        runtime.advanceMillis(1);
        assertThat(heard).hasSize(1_001).last().isEqualTo("b");
    }

    @Test
    void aLossGoesAtOnceWithWhatCameBeforeIt() {
        released("a");
        lane.tellLoss(event("b"));
        released("c");
        assertThat(heard).containsExactly("a", "lost b");
        runtime.advanceMillis(1);
        assertThat(heard).containsExactly("a", "lost b", "c");
    }

    @Test
    void nothingWaitsForATimerOnceTheClientIsBeingClosed() {
        released("a");
        lane.stopGathering();
        assertThat(heard).containsExactly("a");
        released("b");
        assertThat(heard).containsExactly("a", "b");
    }

    private void released(String name) {
        lane.tell(LockListener::released, event(name));
    }

    private static Event event(String name) {
        return new Event(
                name,
                "client:1",
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
