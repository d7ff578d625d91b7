package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Commands as servers want them. */
class RespWriterTest {

    private final ByteBuf out = Unpooled.buffer();

    @Test
    void writesAnArrayOfBulkStrings() {
        RespWriter.command(out, Wire.bytes("SET"), Wire.bytes("k\r\n"), new byte[0]);

        assertThat(written()).isEqualTo("*3\r\n$3\r\nSET\r\n$3\r\nk\r\n\r\n$0\r\n\r\n");
    }

    @Test
    void writesTextsAsUtf8() {
        RespWriter.command(out, "GET", "é");

        assertThat(written()).isEqualTo("*2\r\n$3\r\nGET\r\n$2\r\nÃ©\r\n");
    }

    @Test
    void appendsToWhatIsThere() {
        RespWriter.command(out, "PING");
        RespWriter.command(out, "PING");

        assertThat(written()).isEqualTo("*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nPING\r\n");
    }

    @Test
    void writesNothingOfACommandThatDoesNotFit() {
        ByteBuf small = Unpooled.buffer(16, 20);
        RespWriter.command(small, "PING");

        assertThatThrownBy(() -> RespWriter.command(small, "PING")).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(small.readableBytes()).isEqualTo(14);
    }

    @Test
    void refusesACommandWithoutAName() {
        assertThatThrownBy(() -> RespWriter.command(out, new byte[0][]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a command of 0 parts (expected: at least its name)");
    }

    private String written() {
        return out.toString(StandardCharsets.ISO_8859_1);
    }
}
