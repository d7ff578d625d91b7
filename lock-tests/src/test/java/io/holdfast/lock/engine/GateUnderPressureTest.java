package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.tests.support.BrokenLogger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A gate whose steps fail while nothing around it works: it stays open (rule 76). */
class GateUnderPressureTest {

    private final List<Integer> ran = new ArrayList<>();

    @Test
    void aLoggerThatThrowsDoesNotShutAGate() {
        SerialGate gate = new SerialGate(Runnable::run);
        try (BrokenLogger broken = new BrokenLogger()) {
            gate.run(() -> {
                gate.run(GateUnderPressureTest::fail);
                fail();
            });
            gate.run((one, two) -> fail(), 1, 2);
            gate.run(() -> ran.add(1));

            assertThat(ran).containsExactly(1);
            assertThat(broken.lines()).isEqualTo(3);
        }
    }

    @Test
    void memoryThatRunsShortDoesNotShutAGate() {
        SerialGate gate = new SerialGate(task -> {
            throw new OutOfMemoryError("on purpose: no more threads");
        });
        gate.run(() -> IntStream.range(0, 300).forEach(i -> gate.run(() -> ran.add(i))));

        assertThat(ran).hasSize(300);
    }

    private static void fail() {
        throw new IllegalStateException("on purpose");
    }
}
