package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of every length, as {@link Long} itself writes and reads them. */
class DecimalTest {

    static LongStream wherePlacesAreAdded() {
        return LongStream.concat(
                LongStream.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE, 0),
                LongStream.iterate(1, power -> power * 10)
                        .limit(19)
                        .flatMap(power -> LongStream.of(power - 1, power, power + 1, 1 - power, -power, -power - 1)));
    }

    @ParameterizedTest
    @MethodSource("wherePlacesAreAdded")
    void agreesWithLong(long value) {
        check(value);
    }

    @Test
    void agreesWithLongOnAnyNumber() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            check(random.nextLong() >> random.nextInt(64));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+",
                "--1",
                "+-1",
                " 1",
                "1 ",
                "1.0",
                "0x1",
                "٣",
                "9223372036854775808",
                "-9223372036854775809",
                "18446744073709551616",
                "92233720368547758070",
            })
    void refusesWhatIsNoNumberOf64Bits(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> Decimal.parse(bytes, bytes.length)).isInstanceOf(NumberFormatException.class);
    }

    private static void check(long value) {
        ByteBuf out = Unpooled.buffer(0);
        Decimal.write(out, value);
        String text = out.toString(StandardCharsets.US_ASCII);

        assertThat(text).isEqualTo(Long.toString(value));
        assertThat(Decimal.length(value)).isEqualTo(text.length());
        assertThat(Decimal.parse(out.array(), text.length())).isEqualTo(value);
    }
}
