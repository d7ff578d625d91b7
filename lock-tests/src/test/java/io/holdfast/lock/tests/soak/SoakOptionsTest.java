package io.holdfast.lock.tests.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command's arguments. */
class SoakOptionsTest {

    @Test
    void withoutArgumentsItIsHalfAnHour() {
        assertThat(SoakOptions.parse().length()).isEqualTo(Duration.ofMinutes(30));
        assertThat(SoakOptions.parse().page()).isEmpty();
    }

    @Test
    void everyArgumentIsRead() {
        SoakOptions options = SoakOptions.parse("--hours", "2", "--seed", "-7", "--page", "soak.md");

        assertThat(options.length()).isEqualTo(Duration.ofHours(2));
        assertThat(options.seed()).isEqualTo(-7);
        assertThat(options.page()).contains(Path.of("soak.md"));
    }

    @ParameterizedTest
    @CsvSource({
        "--minutes 0,  --minutes: 0 (expected: 1 or more)",
        "--minutes x,  --minutes: 'x' (expected: a whole number)",
        "--seed,       --seed: no value",
        "--weeks 1,    unknown option --weeks",
    })
    void whatIsWrongIsNamed(String arguments, String complaint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoakOptions.parse(arguments.split(" ")))
                .withMessageStartingWith(complaint);
    }
}
