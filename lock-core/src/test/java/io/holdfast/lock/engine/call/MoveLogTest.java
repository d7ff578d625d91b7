package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ManualRuntime;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A move that is never ended is told of, and rarely. */
class MoveLogTest {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final MoveLog log = new MoveLog(new ManualRuntime(1), PATIENCE);

    @Test
    void aMoveThatEndsSoonIsNotTold() {
        assertThat(log.permits(77, PATIENCE - 1, 0)).isFalse();
        assertThat(log.permits(77, PATIENCE, 1)).isTrue();
    }

    @Test
    void eachSlotIsToldOnceAMinute() {
        assertThat(log.permits(77, PATIENCE, 0)).isTrue();
        assertThat(log.permits(77, PATIENCE, MINUTE - 1)).isFalse();
        assertThat(log.permits(78, PATIENCE, MINUTE - 1)).isTrue();
        assertThat(log.permits(77, PATIENCE, MINUTE)).isTrue();
        assertThat(log.permits(77, PATIENCE, MINUTE + 1)).isFalse();
    }

    @Test
    void manySlotsMakeNoFlood() {
        long told = IntStream.range(0, 16_384)
                .filter(slot -> log.permits(slot, PATIENCE, 0))
                .count();
        assertThat(told).isEqualTo(64);
        assertThat(log.permits(5_000, PATIENCE, MINUTE)).isTrue();
    }
}
