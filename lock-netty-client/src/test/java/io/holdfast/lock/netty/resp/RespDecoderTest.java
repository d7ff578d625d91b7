package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each kind of message says, and which bytes are no message. */
class RespDecoderTest {

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.netty.resp.Sample#messages")
    void readsEveryKindOfMessage(Sample sample) {
        assertThat(Wire.decode(sample.wire())).containsExactly(sample.expected());
        assertThat(Wire.decode(sample.wire() + ":1\r\n")).containsExactly(sample.expected(), "1");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.netty.resp.Sample#violations")
    void refusesWhatIsNotResp(Sample sample) {
        assertThat(Wire.decode(sample.wire())).containsExactly("violation: " + sample.expected());
    }

    @Test
    void countsBytesFromTheBeginningOfTheStream() {
        assertThat(Wire.decode(":1\r\n:2\r\nx"))
                .containsExactly(
                        "1", "2", "violation: byte 8 of the stream: expected the type of a value, got 'x' (0x78)");
    }

    @Test
    void leavesWhatFollowsAMessageInTheBuffer() {
        RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
        ByteBuf in = Wire.buffer(":1\r\n:2\r\n:3");

        assertThat(Wire.next(decoder, in).integer()).isEqualTo(1);
        assertThat(in.readableBytes()).isEqualTo(6);
        assertThat(Wire.next(decoder, in).integer()).isEqualTo(2);
        assertThat(decoder.decode(in)).isNull();
        assertThat(in.isReadable()).isFalse();
        assertThat(Wire.next(decoder, Wire.buffer("4\r\n")).integer()).isEqualTo(34);
    }

    @Test
    void aValueOutlivesTheBufferItCameIn() {
        ByteBuf in = Unpooled.directBuffer().writeBytes(Wire.bytes("$3\r\nabc\r\n"));
        RespValue value = Wire.next(new RespDecoder(RespLimits.DEFAULT), in);
        in.setZero(0, in.capacity());
        in.release();

        assertThat(value.text()).isEqualTo("abc");
    }

    @Test
    void staysFailedAfterAViolation() {
        RespDecoder decoder = new RespDecoder(RespLimits.DEFAULT);
        assertThatThrownBy(() -> decoder.decode(Wire.buffer("+a\nb\r\n"))).isInstanceOf(RespProtocolException.class);

        ByteBuf good = Wire.buffer(":1\r\n");
        assertThatThrownBy(() -> decoder.decode(good))
                .isInstanceOf(RespProtocolException.class)
                .hasMessage("byte 2 of the stream: a line feed without a carriage return before it");
        assertThatThrownBy(() -> decoder.decode(Unpooled.EMPTY_BUFFER)).isInstanceOf(RespProtocolException.class);
        assertThat(good.readableBytes()).isEqualTo(4);
    }

    @Test
    void aViolationNeverQuotesWhatWasReceived() {
        assertThat(Wire.decode("$canary\r\n").toString()).contains("violation").doesNotContain("canary");
        assertThat(Wire.decode(":1canary\r\n").toString()).contains("violation").doesNotContain("canary");
    }
}
