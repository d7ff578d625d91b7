package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ManualRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AlarmTest {

    private final ManualRuntime runtime = new ManualRuntime(1);
    private final long startNanos = runtime.nanos();
    private final List<Long> wentOff = new ArrayList<>();
    private final Alarm alarm = new Alarm(runtime, new SerialGate(runtime.steps()), () -> wentOff.add(nowMillis()));

    @Test
    void itGoesOffOnce() {
        setFor(100);
        runtime.advanceMillis(1_000);
        assertThat(wentOff).containsExactly(100L);
        assertThat(runtime.timers()).isZero();
    }

    @Test
    void setForAnEarlierTimeItGoesOffThen() {
        setFor(100);
        setFor(30);
        runtime.advanceMillis(1_000);
        assertThat(wentOff).containsExactly(30L);
    }

    @Test
    void setForALaterTimeItStaysAsItIs() {
        setFor(100);
        setFor(300);
        assertThat(runtime.timersMade()).isOne();
        runtime.advanceMillis(1_000);
        assertThat(wentOff).containsExactly(100L);
    }

    @Test
    void setForATimeThatHasPassedItGoesOffAtOnce() {
        setFor(-5);
        runtime.advanceMillis(0);
        assertThat(wentOff).containsExactly(0L);
    }

    @Test
    void cancelledItDoesNotGoOffUntilItIsSetAgain() {
        setFor(100);
        alarm.cancel();
        assertThat(runtime.timers()).isZero();
        setFor(200);
        runtime.advanceMillis(1_000);
        assertThat(wentOff).containsExactly(200L);
    }

    @Test
    void aTimerThatCouldNotBeCancelledAnyMoreDoesNothing() {
        runtime.cancelsTooLate();
        setFor(100);
        setFor(50);
        setFor(20);
        runtime.advanceMillis(1_000);
        assertThat(wentOff).containsExactly(20L);

        setFor(1_100);
        alarm.cancel();
        runtime.advanceMillis(1_000);
        assertThat(wentOff).containsExactly(20L);
    }

    private void setFor(long millis) {
        alarm.setFor(startNanos + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(runtime.nanos() - startNanos);
    }
}
