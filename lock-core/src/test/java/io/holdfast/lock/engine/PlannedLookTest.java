package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.wait.PlannedLook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlannedLookTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final ManualRuntime runtime = backend.runtime;
    private final Engine engine = new Engine(List.of(backend), true, ClientOptions.defaults(), null, "c");
    private final LockCell cell = engine.cells().cell(LockKeys.of("stock", LockOptions.defaults()));
    private final long startNanos = runtime.nanos();
    private final List<Long> looks = new ArrayList<>();
    private final PlannedLook look = new PlannedLook(runtime, cell, () -> looks.add(nowMillis()));

    @Test
    void aNewPlanReplacesTheOldOne() {
        look.after(millis(100));
        look.after(millis(300));
        assertThatItLooksFirstAt(300);
    }

    @Test
    void anEarlierPlanReplacesTheOldOne() {
        look.after(millis(300));
        look.after(millis(100));
        assertThatItLooksFirstAt(100);
    }

    @Test
    void theEarlierOfTwoTimesCounts() {
        look.after(millis(200));
        look.within(millis(300));
        look.within(millis(100));
        assertThatItLooksFirstAt(100);
    }

    @Test
    void aPlanThatIsForgottenIsNotCarriedOut() {
        look.after(millis(100));
        look.forget();
        runtime.advanceMillis(1_000);
        assertThat(looks).isEmpty();

        look.within(millis(50));
        assertThatItLooksFirstAt(1_050);
    }

    @Test
    void aPlanForLaterIsCarriedOutThoughAForgottenAlarmWentOffBefore() {
        look.after(millis(100));
        look.forget();
        look.within(millis(400));
        assertThatItLooksFirstAt(400);
    }

    @Test
    void aPlanIsCarriedOutOnce() {
        look.after(millis(100));
        runtime.advanceMillis(200);
        assertThat(looks).containsExactly(100L);

        looks.clear();
        look.within(millis(5_000));
        assertThatItLooksFirstAt(5_200);
    }

    @Test
    void nothingIsLeftAtTheEnd() {
        look.after(millis(100));
        look.end();
        assertThat(runtime.timers()).isZero();
    }

    private void assertThatItLooksFirstAt(long millis) {
        runtime.advanceMillis(10_000);
        assertThat(looks).first().isEqualTo(millis);
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(runtime.nanos() - startNanos);
    }
}
