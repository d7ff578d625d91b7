package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbered answers: what is around them is read, and only they are returned. */
class RespNumberTest {

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerComesWithItsNumberHoweverItIsCut(Sample answer) {
        byte[] stream = Wire.bytes("*2\r\n:4294967301\r\n" + answer.wire() + "*2\r\n:0\r\n:1\r\n");
        List<String> expected = List.of("4294967301: " + answer.expected(), "0: 1");

        assertThat(Wire.decodeNumbered(RespLimits.DEFAULT, stream)).isEqualTo(expected);
        assertThat(byteByByte(RespLimits.DEFAULT, stream)).isEqualTo(expected);
        for (int cut = 0; cut <= stream.length; cut++) {
            assertThat(Wire.decodeNumbered(RespLimits.DEFAULT, stream, cut))
                    .as("cut at %d", cut)
                    .isEqualTo(expected);
        }
    }

    @Test
    void errorsAndPushesCarryNoNumber() {
        String stream = "-ERR no;>2;+a;:1;!3;ERR;*2;:7;$1;a;|1;+k;:1;-ERR no;|1;+k;:1;*2;:8;:5;";
        assertThat(numbered(stream))
                .containsExactly("error ERR no", "push [simple a, 1]", "error ERR", "7: \"a\"", "error ERR no", "8: 5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '\t',
            value = {
                ":1;\tbyte 0 of the stream: an answer without its number, type ':' (0x3a)",
                "$1;a;\tbyte 0 of the stream: an answer without its number, type '$' (0x24)",
                "%1;:1;:2;\tbyte 0 of the stream: an answer without its number, type '%' (0x25)",
                "*1;:1;\tbyte 3 of the stream: an answer without its number, type '*' (0x2a)",
                "*3;:1;:2;:3;\tbyte 3 of the stream: an answer without its number, type '*' (0x2a)",
                "*-1;\tbyte 4 of the stream: an answer without its number, type '*' (0x2a)",
                "*2;$1;1;:2;\tbyte 4 of the stream: an answer without its number, type '$' (0x24)",
                "*2;*2;:1;:2;:3;\tbyte 4 of the stream: an answer without its number, type '*' (0x2a)",
                "*2;:-1;:2;\tbyte 8 of the stream: a negative number of an answer, type ':' (0x3a)",
                "*2;:x;:2;\tbyte 7 of the stream: an integer that is not a number of 64 bits",
                "*2;:1;>1;+a;\tbyte 8 of the stream: a push inside another value",
                "?;\tbyte 0 of the stream: expected the type of a value, got '?' (0x3f)",
            })
    void anythingElseIsRefused(String stream, String expected) {
        assertThat(numbered(stream)).containsExactly("violation: " + expected);
    }

    @Test
    void whatIsAroundAnAnswerCountsForTheLimitOfBytesOnly() {
        RespLimits limits = new RespLimits(100, 50, 1, 2, 24);
        assertThat(Wire.decodeNumbered(limits, Wire.bytes("*2\r\n:7\r\n*2\r\n:1\r\n:2\r\n")))
                .containsExactly("7: [1, 2]");
        assertThat(Wire.decodeNumbered(limits, Wire.bytes("*2\r\n:70000\r\n*2\r\n:1\r\n:2000\r\n")))
                .containsExactly("violation: byte 24 of the stream: a message of more than 24 bytes, the limit");
    }

    /** The number is looked for where the message began, although other calls are written meanwhile. */
    @Test
    void whetherANumberIsDueIsSettledAtTheFirstByte() {
        RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
        ByteBuf in = Wire.buffer("*2\r\n");
        assertThat(decoder.decode(in, true)).isNull();
        RespValue answer = decoder.decode(Wire.buffer(":7\r\n+a\r\n"), false);
        assertThat(answer).extracting(RespValue::text).isEqualTo("a");
        assertThat(decoder.number()).isEqualTo(7);

        assertThat(Wire.next(decoder, Wire.buffer("+b\r\n")).text()).isEqualTo("b");
        assertThat(decoder.number()).isEqualTo(RespDecoder.NO_NUMBER);
    }

    static List<String> byteByByte(RespLimits limits, byte[] stream) {
        return Wire.decodeNumbered(
                limits, stream, IntStream.range(0, stream.length).toArray());
    }

    static Stream<Sample> answers() {
        return Sample.messages().filter(message -> !message.wire().startsWith(">"));
    }

    private static List<String> numbered(String stream) {
        return Wire.decodeNumbered(RespLimits.DEFAULT, Wire.bytes(stream.replace(";", "\r\n")));
    }
}
