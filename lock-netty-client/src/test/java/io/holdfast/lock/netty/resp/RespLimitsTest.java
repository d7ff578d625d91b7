package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each limit, at the limit and one above it; and memory, which follows what came and not what was announced. */
class RespLimitsTest {

    private static final RespLimits TIGHT = new RespLimits(10, 8, 3, 6, 40);

    static final List<Sample> AT_AND_ABOVE = List.of(
            // bulk strings of 10 bytes
            Sample.of("$10;0123456789;", "\"0123456789\""),
            Sample.of("$11;01234567890;", "null"),
            Sample.of("!10;0123456789;", "error 0123456789"),
            Sample.of("!11;01234567890;", "violation: byte 4 of the stream: a bulk string of 11 bytes (limit: 10)"),
            Sample.of("=10;txt:012345;", "\"012345\""),
            Sample.of("=11;txt:0123456;", "null"),
            Sample.of("*3;$11;01234567890;$2;ab;$99;" + "x".repeat(99) + ";", "[null, \"ab\", null]"),
            // lines of 8 bytes
            Sample.of("+01234567;", "simple 01234567"),
            Sample.of("+012345678;", "violation: byte 9 of the stream: a line of more than 8 bytes, the limit"),
            Sample.of("-01234567;", "error 01234567"),
            Sample.of("-012345678;", "error 01234567"),
            Sample.of(":12345678;", "12345678"),
            Sample.of(":123456789;", "violation: byte 9 of the stream: a line of more than 8 bytes, the limit"),
            Sample.of("$00000001;a;", "\"a\""),
            Sample.of("$000000001;a;", "violation: byte 9 of the stream: a line of more than 8 bytes, the limit"),
            // three lists inside each other
            Sample.of("*1;*1;*1;:1;", "[[[1]]]"),
            Sample.of("*1;*1;*1;*0;", "violation: byte 15 of the stream: lists nested deeper than 3, the limit"),
            Sample.of("*1;%1;:1;~0;", "[map [1, set []]]"),
            Sample.of("*1;%1;:1;~1;|0;", "violation: byte 19 of the stream: lists nested deeper than 3, the limit"),
            // six elements in a message
            Sample.of("*6;_;_;_;_;_;_;", "[null, null, null, null, null, null]"),
            Sample.of("*2;*2;_;_;*2;_;_;", "[[null, null], [null, null]]"),
            Sample.of("%3;_;_;_;_;_;_;", "map [null, null, null, null, null, null]"),
            Sample.of("|1;_;_;*4;_;_;_;_;", "[null, null, null, null]"),
            Sample.of(
                    "*7;",
                    "violation: byte 3 of the stream: a message of more than 6 elements, the limit, with the 7 elements of this list"),
            Sample.of(
                    "*2;*5;",
                    "violation: byte 7 of the stream: a message of more than 6 elements, the limit, with the 5 elements of this list"),
            Sample.of(
                    "%4;",
                    "violation: byte 3 of the stream: a message of more than 6 elements, the limit, with the 4 entries of this list"),
            Sample.of(
                    "*1;%3;",
                    "violation: byte 7 of the stream: a message of more than 6 elements, the limit, with the 3 entries of this list"),
            Sample.of(
                    "|1;_;_;*5;",
                    "violation: byte 13 of the stream: a message of more than 6 elements, the limit, with the 5 elements of this list"),
            // 40 bytes in a message
            Sample.of("*3;$10;0123456789;+01234567;+23456;", "[\"0123456789\", simple 01234567, simple 23456]"),
            Sample.of(
                    "*3;$10;0123456789;+01234567;+234567;",
                    "violation: byte 40 of the stream: a message of more than 40 bytes, the limit"),
            Sample.of("*3;$10;0123456789;$5;01234;$3;abc;", "[\"0123456789\", \"01234\", null]"),
            Sample.of(
                    "-" + "x".repeat(50) + ";",
                    "violation: byte 40 of the stream: a message of more than 40 bytes, the limit"),
            Sample.of("*3;$10;0123456789;$5;01234;$2;ab;", "[\"0123456789\", \"01234\", \"ab\"]"),
            Sample.of(
                    "|2;+0;$10;0123456789;+0;+01234567;+1;",
                    "violation: byte 40 of the stream: a message of more than 40 bytes, the limit"));

    static Stream<Sample> atAndAbove() {
        return AT_AND_ABOVE.stream();
    }

    @ParameterizedTest
    @MethodSource("atAndAbove")
    void areReachedAndNotExceeded(Sample sample) {
        byte[] stream = Wire.bytes(sample.wire());

        assertThat(Wire.decode(TIGHT, stream)).containsExactly(sample.expected());
        assertThat(RespFragmentationTest.byteByByte(TIGHT, stream)).containsExactly(sample.expected());
    }

    @Test
    void whatIsLeftOutHasALimitToo() {
        assertThat(Wire.decode(RespLimits.DEFAULT, Wire.bytes("$536870912\r\nxx")))
                .isEmpty();
        assertThat(Wire.decode(RespLimits.DEFAULT, Wire.bytes("$536870913\r\nxx")))
                .containsExactly("violation: byte 11 of the stream: a bulk string of 536870913 bytes (limit: 8388608)");
    }

    @Test
    void whatIsLeftOutIsTold() {
        RespDecoder decoder = new RespDecoder(TIGHT);
        ByteBuf stream = Unpooled.wrappedBuffer(
                Wire.bytes("*2;:7;*2;$11;01234567890;$12;012345678901;*2;:8;$1;x;".replace(";", "\r\n")));

        assertThat(decoder.decode(stream, true)).hasToString("ARRAY of 2 elements");
        assertThat(decoder.number()).isEqualTo(7);
        assertThat(decoder.leftOutBytes()).isEqualTo(23);
        assertThat(decoder.decode(stream, true)).hasToString("BULK of 1 bytes");
        assertThat(decoder.number()).isEqualTo(8);
        assertThat(decoder.leftOutBytes()).isZero();
    }

    @Test
    void countFromNewForEachMessage() {
        String message = "*3;$10;0123456789;+01234567;+23456;".replace(";", "\r\n");
        String elements = "*6;_;_;_;_;_;_;".replace(";", "\r\n");

        assertThat(Wire.decode(TIGHT, Wire.bytes((message + elements).repeat(50))))
                .hasSize(100);
    }

    @ParameterizedTest
    @CsvSource({
        "$1073741824;abc",
        "!1073741824;abc",
        "*1000000000;:1;",
        "%500000000;:1;",
        "~1000000000;:1;",
        ">1000000000;:1;",
        "|500000000;:1;",
        "*1;*1;*1;*1000000000;",
    })
    void memoryFollowsWhatCameNotWhatWasAnnounced(String announcement) {
        RespLimits huge = new RespLimits(Integer.MAX_VALUE - 8, 64, 64, Integer.MAX_VALUE - 8, Long.MAX_VALUE);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ByteBuf in = Wire.buffer(announcement.replace(";", "\r\n"));
        // One decoder goes ahead, so that the loading of classes isn't counted.
        assertThat(new RespDecoder(huge).decode(in.duplicate())).isNull();

        RespDecoder decoder = new RespDecoder(huge);
        long before = threads.getCurrentThreadAllocatedBytes();
        RespValue message = decoder.decode(in);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(message).isNull();
        assertThat(allocated).isLessThan(8_192);
    }

    @Test
    void depthCostsNoStack() {
        int depth = 200_000;
        RespLimits deep = new RespLimits(1, 8, depth, depth, 10L * depth);
        RespDecoder decoder = new RespDecoder(deep);

        RespValue value = Wire.next(decoder, Wire.buffer("*1\r\n".repeat(depth) + ":5\r\n"));

        for (int i = 0; i < depth; i++) {
            assertThat(value.size()).isEqualTo(1);
            value = value.get(0);
        }
        assertThat(value.integer()).isEqualTo(5);
    }

    @Test
    void theDefaultsStopEndlessNesting() {
        assertThat(Wire.decode("*1\r\n".repeat(17)))
                .containsExactly("violation: byte 67 of the stream: lists nested deeper than 16, the limit");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, 1, 1,           maxBulkBytes: 0 (expected: 1 to 2147483639)",
        "1, -1, 1, 1, 1,          maxLineBytes: -1 (expected: 1 to 2147483639)",
        "1, 1, 0, 1, 1,           maxDepth: 0 (expected: 1 to 2147483639)",
        "1, 1, 1, 2147483647, 1,  maxElements: 2147483647 (expected: 1 to 2147483639)",
        "1, 1, 1, 1, 0,           maxMessageBytes: 0 (expected: 1 to 9223372036854775807)",
    })
    void refuseNonsense(int bulk, int line, int depth, int elements, long message, String expected) {
        assertThatThrownBy(() -> new RespLimits(bulk, line, depth, elements, message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }
}
