package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers with an append-only file are restarted one after the other, a renewal period apart, and no hold is lost. */
@Tag("proof")
@RedisTest(servers = 3, freshPerTest = true, aof = true)
class RollingRestartWithLogTest extends QuorumTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(LEASE).build();

    @Test
    void noHoldIsLostWhileServersAreRestartedOneByOne() throws Exception {
        LockClient client = warm(connectQuorum());
        try (LockHold hold = client.getLock(NAME, WATCHED).acquire()) {
            awaitKeepers(3);
            for (RedisServer server : servers) {
                server.kill();
                server.restart();
                long backNanos = System.nanoTime();
                await().until(() ->
                        System.nanoTime() - backNanos > LEASE.dividedBy(3).toNanos());
                assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
            }
            awaitKeepers(3);
        }
        awaitNothingLeft();
    }
}
