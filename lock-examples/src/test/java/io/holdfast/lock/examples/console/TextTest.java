package io.holdfast.lock.examples.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TextTest {

    @Test
    void durations() {
        assertThat(Text.duration(0)).isEqualTo("0.00 ms");
        assertThat(Text.duration(412_000)).isEqualTo("0.41 ms");
        assertThat(Text.duration(TimeUnit.MICROSECONDS.toNanos(12_340))).isEqualTo("12.3 ms");
        assertThat(Text.duration(TimeUnit.MILLISECONDS.toNanos(456))).isEqualTo("456 ms");
        assertThat(Text.duration(TimeUnit.MILLISECONDS.toNanos(1_234))).isEqualTo("1.23 s");
        assertThat(Text.seconds(TimeUnit.MILLISECONDS.toNanos(1_234))).isEqualTo("1.2 s");
    }

    @Test
    void millis() {
        assertThat(Text.millis(440_000)).isEqualTo("0.4");
        assertThat(Text.millis(TimeUnit.MICROSECONDS.toNanos(9_960))).isEqualTo("10");
        assertThat(Text.millis(TimeUnit.MILLISECONDS.toNanos(1_234))).isEqualTo("1,234");
    }

    @Test
    void numbers() {
        assertThat(Text.count(12_345)).isEqualTo("12,345");
        assertThat(Text.signed(12_345)).isEqualTo("+12,345");
        assertThat(Text.signed(0)).isEqualTo("0");
        assertThat(Text.signed(-3)).isEqualTo("-3");
        assertThat(Text.plural(1, "command")).isEqualTo("1 command");
        assertThat(Text.plural(2, "command")).isEqualTo("2 commands");
    }

    @Test
    void longTextIsWrappedAtBlanks() {
        assertThat(Text.wrap("one two three", 8, 2)).containsExactly("one two", "  three");
        assertThat(Text.wrap("short", 8, 2)).containsExactly("short");
        assertThat(Text.wrap("without-any-blank", 8, 2)).containsExactly("without-", "  any-bl", "  ank");
    }

    @Test
    void barsStayInTheirFrame() {
        assertThat(Text.bar(0.5, 4)).isEqualTo("[##--]");
        assertThat(Text.bar(-1, 4)).isEqualTo("[----]");
        assertThat(Text.bar(2, 4)).isEqualTo("[####]");
    }

    @Test
    void aLevelIsBlankForNoneAndAHashForTheMost() {
        assertThat(Text.most(new long[] {3, 12, 7})).isEqualTo(12);
        assertThat(Text.most(new long[0])).isZero();
        assertThat(Text.level(0, 12)).isEqualTo(' ');
        assertThat(Text.level(1, 12)).isEqualTo('.');
        assertThat(Text.level(12, 12)).isEqualTo('#');
        assertThat(Text.level(0, 0)).isEqualTo(' ');
    }
}
