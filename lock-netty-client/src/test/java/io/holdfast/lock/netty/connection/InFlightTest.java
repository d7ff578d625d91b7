package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private final InFlight inFlight = new InFlight(0);

    @Test
    void keepsOrderAndFlagsWhileItGrowsAndWraps() {
        ArrayDeque<Integer> model = new ArrayDeque<>();
        Random random = new Random(42);
        int next = 0;
        for (int step = 0; step < 100_000; step++) {
            boolean growing = step % 5_000 < 2_500;
            if (model.isEmpty() || random.nextInt(100) < (growing ? 55 : 45)) {
                inFlight.add(next, (byte) (next % 8));
                model.add(next++);
            } else {
                int expected = model.remove();
                assertThat(inFlight.oldestFlags()).isEqualTo((byte) (expected % 8));
                assertThat(inFlight.remove()).isEqualTo(expected);
            }
            assertThat(inFlight.size()).isEqualTo(model.size());
        }
    }

    @Test
    void flagsStayWithTheirCommand() {
        for (int i = 0; i < 60; i++) {
            inFlight.add(i, (byte) 0);
        }
        for (int i = 0; i < 50; i++) {
            inFlight.remove();
        }
        for (int i = 60; i < 200; i++) {
            inFlight.add(i, (byte) 0);
        }
        inFlight.set(100, InFlight.OVERDUE);
        for (int i = 0; i < inFlight.size(); i++) {
            assertThat(inFlight.has(i, InFlight.OVERDUE)).isEqualTo(i == 100);
        }
        assertThat(inFlight.get(100)).isEqualTo(150);
    }

    @Test
    void hasNothingToGiveWhenEmpty() {
        assertThatThrownBy(inFlight::remove).isInstanceOf(NoSuchElementException.class);
    }
}
