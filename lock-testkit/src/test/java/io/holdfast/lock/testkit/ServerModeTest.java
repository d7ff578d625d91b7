package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that are more, or less, than a server for itself. */
@Tag("proof")
class ServerModeTest {
    @ParameterizedTest
    @EnumSource(names = {"PATH", "EMBEDDED"})
    void aClusterOfOneNodeServesEverySlot(RedisSource source) {
        Path directory;
        try (RedisServer redis = RedisServer.builder()
                        .source(source)
                        .mode(ServerMode.CLUSTER)
                        .start();
                RawRedis raw = redis.connect()) {
            directory = redis.directory();
            assertThat(raw.info("server")).containsEntry("redis_mode", "cluster");
            for (int i = 0; i < 100; i++) {
                assertThat(raw.text("SET", "key:" + i, "1")).isEqualTo("OK");
            }
            assertThatThrownBy(() -> raw.command("MSET", "a", "1", "b", "2")).hasMessageContaining("CROSSSLOT");
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void aClusterIsResetAndRestartedLikeAnyServer() {
        try (RedisServer redis = RedisServer.builder().mode(ServerMode.CLUSTER).start()) {
            try (RawRedis raw = redis.connect()) {
                raw.command("SET", "a", "1");
                redis.reset();
                assertThat(raw.command("GET", "a")).isNull();
            }
            redis.kill();
            redis.restart();
            try (RawRedis raw = redis.connect()) {
                assertThat(raw.text("SET", "a", "1")).isEqualTo("OK");
            }
        }
    }

    @Test
    void aSentinelSaysThatItIsOne() {
        try (RedisServer redis = RedisServer.builder().mode(ServerMode.SENTINEL).start();
                RawRedis raw = redis.connect()) {
            assertThat(raw.info("server")).containsEntry("redis_mode", "sentinel");
        }
    }
}
