package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections that outlive the tests are found. */
class ConnectionsLeftTest {
    @Test
    void aConnectionIsFoundUntilItIsClosed() {
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
    void aServerThatWasLeftDeadOrPausedIsAskedAllTheSame() {
        try (RedisServer redis = RedisServer.start()) {
            redis.kill();
            ConnectionsLeft.awaitNone(redis);
            redis.pause();
            ConnectionsLeft.awaitNone(redis);
        }
    }
}
