package io.holdfast.lock.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.01S, 10 ms",
        "PT0.0105S, 10.5 ms",
        "PT0.000000001S, 0.000001 ms",
        "PT0.999S, 999 ms",
        "PT1S, 1 s",
        "PT1.5S, 1.5 s",
        "PT90S, 90 s",
        "PT10M, 10 min",
        "PT90M, 90 min",
        "PT1H, 1 h",
        "PT24H, 1 d",
        "PT87600H, 3650 d",
        "PT-0.001S, -1 ms",
        "PT-1S, -1 s",
        "PT-1.5S, -1.5 s",
    })
    void areShownAsPeopleWriteThem(Duration duration, String shown) {
        assertThat(Durations.of(duration)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"9223372036854775807, 9223372036854775807 s", "-9223372036854775808, -9223372036854775808 s"})
    void haveNoLimit(long seconds, String shown) {
        assertThat(Durations.of(Duration.ofSeconds(seconds))).isEqualTo(shown);
    }
}
