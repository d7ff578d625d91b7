package io.holdfast.lock.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.engine.ManualRuntime;
import org.junit.jupiter.api.Test;

/** Ten lines in a second. */
class LogLimitTest {
    private final ManualRuntime runtime = new ManualRuntime(1);
    private final LogLimit limit = new LogLimit(runtime);

    @Test
    void tenLinesOfASecondPass() {
        assertThat(permitted(25)).isEqualTo(10);
        runtime.advanceMillis(999);
        assertThat(permitted(25)).isZero();
    }

    @Test
    void theNextSecondHasItsOwn() {
        permitted(25);
        runtime.advanceMillis(1_000);

        assertThat(permitted(25)).isEqualTo(10);
    }

    private int permitted(int lines) {
        int permitted = 0;
        for (int i = 0; i < lines; i++) {
            permitted += limit.permits() ? 1 : 0;
        }
        return permitted;
    }
}
