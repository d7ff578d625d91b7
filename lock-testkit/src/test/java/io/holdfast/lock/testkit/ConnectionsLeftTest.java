package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections that outlive the tests are found. */
class ConnectionsLeftTest {
    @Test
    void a_connection_is_found_until_it_is_closed() {
        try (RedisServer redis = RedisServer.start()) {
            try (RawRedis left = redis.connect()) {
                left.command("CLIENT", "SETNAME", "forgotten");
                left.command("SUBSCRIBE", "news");
                assertThatThrownBy(() -> ConnectionsLeft.awaitNone(redis, Duration.ofMillis(50)))
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("connections left after the tests: 1 (expected: none)")
                        .hasMessageContaining("name=forgotten")
                        .hasMessageContaining("sub=1");
            }
            ConnectionsLeft.awaitNone(redis);
        }
    }

    @Test
    void a_server_that_was_left_dead_or_paused_is_asked_all_the_same() {
        try (RedisServer redis = RedisServer.start()) {
            redis.kill();
            ConnectionsLeft.awaitNone(redis);
            redis.pause();
            ConnectionsLeft.awaitNone(redis);
        }
    }
}
