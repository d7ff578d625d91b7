package io.holdfast.lock.netty.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.address.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectionTest {

    private static final Target.Host SENDER = new Target.Host("10.0.0.1", 7000);

    @ParameterizedTest
    @CsvSource({
        "MOVED 3999 127.0.0.1:6381, 127.0.0.1, 6381",
        "ASK 3999 node-b.example:6381, node-b.example, 6381",
        "MOVED 0 fd00::12:6381, fd00::12, 6381",
        "MOVED 3999 :6381, 10.0.0.1, 6381",
        "MOVED 3999 ?:6381, 10.0.0.1, 6381"
    })
    void namesANode(String error, String host, int port) {
        assertThat(Redirection.target(error, SENDER)).isEqualTo(new Target.Host(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MOVED", "MOVED 3999", "MOVED 3999 a:b", "MOVED 3999 host:0", "MOVED 3999 ho\nst:6381"})
    void whatIsNoAddressIsNoNode(String error) {
        assertThat(Redirection.target(error, SENDER)).isNull();
    }

    @Test
    void namesASlot() {
        assertThat(Redirection.slot("MOVED 3999 127.0.0.1:6381")).isEqualTo(3999);
        assertThat(Redirection.slot("MOVED 16384 127.0.0.1:6381")).isEqualTo(-1);
        assertThat(Redirection.slot("MOVED x 127.0.0.1:6381")).isEqualTo(-1);
        assertThat(Redirection.slot("MOVED")).isEqualTo(-1);
    }
}
