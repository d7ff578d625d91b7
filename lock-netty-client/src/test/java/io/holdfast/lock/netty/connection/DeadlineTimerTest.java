package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadlineTimerTest {

    private final FakeRuntime runtime = new FakeRuntime();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final long startNanos = runtime.nanos;
    private final TreeSet<Long> deadlines = new TreeSet<>();
    private final List<Long> looks = new ArrayList<>();
    private boolean broken;
    private final DeadlineTimer timer = new DeadlineTimer(channel.eventLoop(), runtime, this::look);

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @AfterEach
    void finish() {
        timer.stop();
        channel.finishAndReleaseAll();
    }

    @Test
    void ringsForTheEarliestWhateverTheOrder() {
        include(500);
        include(100);
        include(300);
        pass(1_000);
        assertThat(looks).containsExactly(100L, 300L, 500L);
    }

    @Test
    void neighboursShareALook() {
        for (int i = 0; i < 100; i++) {
            deadlines.add(at(100) + i * 10_000L);
            timer.include(at(100) + i * 10_000L);
        }
        pass(1_000);
        assertThat(looks).containsExactly(100L, 101L);
    }

    @Test
    void aDeadlineInThePastIsLookedAtSoon() {
        pass(10);
        include(5);
        pass(1);
        assertThat(looks).containsExactly(11L);
    }

    @Test
    void deadlinesThatAreTooNearDoNotPutTheAlarmOff() {
        include(1);
        for (int i = 0; i < 9; i++) {
            passMicros(100);
            deadlines.add(runtime.nanos + 1_000);
            timer.include(runtime.nanos + 1_000);
        }
        passMicros(100);
        assertThat(looks).containsExactly(1L);
    }

    @Test
    void restsWhenThereIsNothingToWaitFor() {
        include(100);
        pass(10_000);
        assertThat(looks).containsExactly(100L);
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        broken = true;
        include(100);
        pass(200);
        include(300);
        pass(200);
        assertThat(looks).containsExactly(100L, 300L);
    }

    private void look() {
        looks.add(TimeUnit.NANOSECONDS.toMillis(runtime.nanos - startNanos));
        deadlines.headSet(runtime.nanos, true).clear();
        if (broken) {
            broken = false;
            throw new IllegalStateException("as the test wants it");
        }
        deadlines.descendingSet().forEach(timer::include);
    }

    private void include(long millis) {
        deadlines.add(at(millis));
        timer.include(at(millis));
    }

    private long at(long millis) {
        return startNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void passMicros(long micros) {
        runtime.nanos += TimeUnit.MICROSECONDS.toNanos(micros);
        channel.advanceTimeBy(micros, TimeUnit.MICROSECONDS);
        channel.runScheduledPendingTasks();
    }

    private void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            runtime.nanos += TimeUnit.MILLISECONDS.toNanos(1);
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }
}
