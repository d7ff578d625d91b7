package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@RedisTest
class RedisMonitorTest {
    @Test
    void showsWhatClientsSentAndWhatScriptsCalled(RedisServer redis, RawRedis raw) {
        try (RedisMonitor monitor = RedisMonitor.of(redis)) {
            raw.command("SET", "a", "with \"quotes\" and spaces");
            raw.command("EVAL", "return redis.call('GET', KEYS[1])", "1", "a");

            assertThat(monitor.commands()).extracting(MonitoredCommand::name).containsExactly("SET", "EVAL");
            assertThat(monitor.commands().get(0).words()).containsExactly("SET", "a", "with \"quotes\" and spaces");
            assertThat(monitor.everything()).extracting(MonitoredCommand::name).containsExactly("SET", "EVAL", "GET");
            assertThat(monitor.everything().get(2).fromScript()).isTrue();
        }
    }
}
