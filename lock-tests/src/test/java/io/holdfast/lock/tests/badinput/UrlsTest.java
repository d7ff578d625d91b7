package io.holdfast.lock.tests.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlsTest {

    /** Each holds the password {@code canary}, where it can be placed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "127.0.0.1:6379",
                "redis:/127.0.0.1",
                "http://:canary@127.0.0.1:6379",
                "rediss+unix://:canary@/run/redis.sock",
                "redis://",
                "redis://:canary@",
                "redis://:canary@:6379",
                "redis://:canary@127.0.0.1:0",
                "redis://:canary@127.0.0.1:65536",
                "redis://:canary@127.0.0.1:-1",
                "redis://:canary@127.0.0.1:port",
                "redis://:canary@127.0.0.1:6379/db",
                "redis://:canary@127.0.0.1:6379/-1",
                "redis://:canary@127.0.0.1:6379?password=canary",
                "redis://canary@127.0.0.1:6379",
                "redis://:canary/@127.0.0.1:6379",
                "redis://:canary%zz@127.0.0.1:6379",
                "redis://:canary@[127.0.0.1:6379",
                "redis://:canary@::1:6379",
                "redis://:canary@host name:6379",
                "redis://:canary@127.0.0.1:6379 ",
                "redis://:canary@127.0.0.1:6379/1/2",
                "redis://:canary@:canary@127.0.0.1:6379",
                "redis://:canary@[::1%lo]:6379",
                "rediss://:canary@/run/redis.sock",
                "unix://:canary@run/redis.sock",
                "unix://:canary@/run/redis.sock?database=1&database=2",
                "redis-sentinel://:canary@127.0.0.1",
                "redis-sentinel://:canary@127.0.0.1,127.0.0.1:26379/m",
                "redis-sentinel://:canary@127.0.0.1, 127.0.0.2/m",
                "redis-sentinel://:canary@127.0.0.1,:canary@127.0.0.2/m",
                "redis-replicas://:canary@127.0.0.1,/1",
                "redis-replicas://:canary@127.0.0.1:0,127.0.0.2",
            })
    void aMalformedAddressIsRefusedWithoutQuotingIt(String url) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(malformed -> assertThat(everythingItSays(malformed))
                        .containsPattern("expected: (rediss?(-sentinel|-replicas)?|unix)://")
                        .doesNotContain("canary"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel://:canary@127.0.0.1/m", "redis-replicas://:canary@127.0.0.1,127.0.0.2"})
    void aNodeOfAQuorumIsOneServer(String url) {
        assertThatThrownBy(() -> LockClient.connectQuorum("redis://127.0.0.1:1", url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("url number 2: address: leads to one of several servers")
                .hasMessageNotContaining("canary");
    }

    private static String everythingItSays(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
