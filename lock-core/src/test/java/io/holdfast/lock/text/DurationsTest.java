package io.holdfast.lock.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @CsvSource({
        "500 ms, PT0.5S",
        "500ms, PT0.5S",
        "1.5 s, PT1.5S",
        "1.5 h, PT1H30M",
        "0.5 d, PT12H",
        "30  min, PT30M",
        "007 s, PT7S",
        "-1 s, PT-1S",
        "PT10S, PT10S",
        "pt0.5s, PT0.5S",
        "P1DT2H, PT26H",
    })
    void areReadAsPeopleWriteThem(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "10",
                "ms",
                "10 m",
                "10 S",
                "10 minutes",
                "1,5 s",
                ".5 s",
                "5. s",
                "1e3 s",
                "+1 s",
                "1 s ",
                "1 h 30 min",
                "0.0000001 ms",
                "9223372036854775807 d",
                "99999999999999999999 s",
                "٣ s",
                "PT",
                "PT10",
                "PT99999999999999999999S",
            })
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessage("duration: '" + text
                        + "' (expected: a number and a unit, as in 500 ms, 1.5 s, 30 min, 2 h or 1 d; or PT10S)");
    }

    @Property(tries = 2_000)
    void areReadFromTheirText(@ForAll("durations") Duration duration) {
        assertThat(Durations.parse(Durations.of(duration))).isEqualTo(duration);
        assertThat(Durations.parse(duration.toString())).isEqualTo(duration);
    }

    @Provide
    Arbitrary<Duration> durations() {
        Arbitrary<Long> seconds = Arbitraries.oneOf(
                Arbitraries.longs(), Arbitraries.longs().between(-100_000, 100_000), Arbitraries.just(0L));
        Arbitrary<Long> nanos = Arbitraries.oneOf(Arbitraries.longs().between(0, 999_999_999), Arbitraries.just(0L));
        return Combinators.combine(seconds, nanos).as(Duration::ofSeconds);
    }
}
