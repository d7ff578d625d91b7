package io.holdfast.lock.examples.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServerCommandTest {

    @Test
    void readsTimeSourceAndWords() {
        ServerCommand command = ServerCommand.parse("1700000000.000123 [0 127.0.0.1:50000] \"SET\" \"key\" \"a b\"");
        assertThat(command.micros()).isEqualTo(1_700_000_000_000_123L);
        assertThat(command.source()).isEqualTo("127.0.0.1:50000");
        assertThat(command.words()).containsExactly("SET", "key", "a b");
        assertThat(command.isInScript()).isFalse();
    }

    @Test
    void knowsWhatAScriptDid() {
        ServerCommand command = ServerCommand.parse("1700000000.000123 [0 lua] \"EXISTS\" \"key\"");
        assertThat(command.isInScript()).isTrue();
    }

    @Test
    void readsEscapedAndEmptyWords() {
        ServerCommand command =
                ServerCommand.parse("1700000000.000123 [3 unix:/tmp/s.sock] \"ECHO\" \"say \\\"hi\\\"\\n\" \"\"");
        assertThat(command.source()).isEqualTo("unix:/tmp/s.sock");
        assertThat(command.words()).containsExactly("ECHO", "say \"hi\" ", "");
    }

    @Test
    void refusesOtherLines() {
        assertThatThrownBy(() -> ServerCommand.parse("OK"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'OK'");
    }
}
