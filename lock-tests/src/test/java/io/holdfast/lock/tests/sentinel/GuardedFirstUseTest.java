package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one case of the failover guard that runs with every change; the others of this package take longer. */
@Tag("proof")
class GuardedFirstUseTest extends GuardedSentinelTest {

    @Override
    Duration lease() {
        return Duration.ofSeconds(1);
    }

    @Override
    SentinelGroup group() {
        return SentinelGroup.builder().replicas(1).start();
    }

    @Test
    void theFirstUseOfAGroupCostsOnePause() throws Exception {
        RedisServer primary = group.primary();
        try (RawRedis raw = primary.connect()) {
            raw.command("DEL", "holdfast:term");
        }
        LockClient client = connect();
        try (LockHold first = grantedAfterThePause(client.getLock("stock").acquireAsync(), primary)) {
            assertThat(has(primary, first.name())).isTrue();
        }
        connect().getLock("stock").acquire().release();
    }
}
