package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@RedisTest
class RawRedisTest {
    @Test
    void repliesBecomePlainValues(RawRedis raw) {
        assertThat(raw.command("SET", "a", "grün")).isEqualTo("OK");
        assertThat(raw.command("GET", "a")).isEqualTo("grün");
        assertThat(raw.command("GET", "missing")).isNull();
        assertThat(raw.command("INCR", "n")).isEqualTo(1L);
        assertThat(raw.integer("PTTL", "a")).isEqualTo(-1);
        raw.command("HSET", "h", "one", "1", "two", "2");
        assertThat(raw.map("HGETALL", "h")).containsExactly(Map.entry("one", "1"), Map.entry("two", "2"));
        assertThat(raw.list("KEYS", "*")).containsExactlyInAnyOrder("a", "n", "h");
        assertThat(raw.command("EVAL", "return {1, false, {'x'}}", "0"))
                .isEqualTo(Arrays.asList(1L, null, List.of("x")));
    }

    @Test
    void repliesOfTheNewerProtocolToo(RawRedis raw) {
        assertThat(raw.command("HELLO", "3")).isInstanceOfSatisfying(Map.class, hello -> assertThat(hello.get("proto"))
                .isEqualTo(3L));
        raw.command("HSET", "h", "one", "1");
        assertThat(raw.command("HGETALL", "h")).isEqualTo(Map.of("one", "1"));
        assertThat(raw.command("GET", "missing")).isNull();
        assertThat(raw.command("ZADD", "z", "INCR", "1.5", "m")).isEqualTo(1.5);
    }

    @Test
    void anErrorIsThrownWithItsCode(RawRedis raw) {
        raw.command("SET", "a", "1");
        assertThatThrownBy(() -> raw.command("HGETALL", "a"))
                .isInstanceOfSatisfying(
                        RedisErrorReply.class, e -> assertThat(e.code()).isEqualTo("WRONGTYPE"));
        assertThat(raw.command("GET", "a")).isEqualTo("1");
    }

    @Test
    void countsCallsAndListsClients(RedisServer redis, RawRedis raw) {
        assertThat(raw.calls("get")).isZero();
        raw.command("GET", "a");
        raw.command("EVAL", "return redis.call('GET', 'a')", "0");
        assertThat(raw.calls("get")).isEqualTo(2);

        raw.command("CLIENT", "SETNAME", "me");
        assertThat(raw.clients()).extracting(client -> client.get("name")).contains("me");
        assertThat(raw.toString()).contains(":" + redis.port());
    }

    @Test
    void pipelinedRepliesComeInOrder(RawRedis raw) {
        raw.send("ECHO", "1");
        raw.send("ECHO", "2");
        assertThat(raw.receive()).isEqualTo("1");
        assertThat(raw.receive()).isEqualTo("2");
    }
}
