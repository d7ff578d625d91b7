package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FirstBytesTest {

    private final FirstBytes firstBytes = new FirstBytes();

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 400 Bad Request, HTTP",
        "<!DOCTYPE html>, HTTP",
        "<html>, HTTP",
        "SSH-2.0-OpenSSH_9.2, SSH",
        "'\u0015\u0003\u0003\u0000\u0002\u0002\u0028', TLS"
    })
    void tellTheProtocolHoweverTheyAreCut(String greeting, String protocol) {
        for (char part : greeting.toCharArray()) {
            assertThat(firstBytes.protocol() != null || firstBytes.isEmpty() || firstBytes.mayTellMore())
                    .isTrue();
            hear(String.valueOf(part));
        }
        assertThat(firstBytes.protocol()).isEqualTo(protocol);
        assertThat(firstBytes.mayTellMore()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+OK POP3 ready", "-ERR", "*1\r\n", "%7\r\n", "220 smtp", "HTTQ", "SSL", "\u0015\u0004"})
    void ofAnythingElseTellNothing(String greeting) {
        hear(greeting);
        assertThat(firstBytes.protocol()).isNull();
        assertThat(firstBytes.mayTellMore()).isFalse();
    }

    @Test
    void areLeftWhereTheyAre() {
        ByteBuf in = Unpooled.copiedBuffer("xSSH-2.0", StandardCharsets.US_ASCII);
        in.readByte();
        firstBytes.hear(in);
        assertThat(in.readableBytes()).isEqualTo(7);
        assertThat(firstBytes.protocol()).isEqualTo("SSH");
    }

    private void hear(String bytes) {
        firstBytes.hear(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    }
}
