package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers without persistence are restarted one after the other, and a hold that was there before is there after. */
@RedisTest(servers = 3, freshPerTest = true)
class RollingRestartTest extends QuorumTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(LEASE).build();
    private static final QuorumOptions GUARDED =
            PATIENT.toBuilder().longestLease(LEASE).build();

    /** As far apart as is documented: the longest lease, its margins with the second in which uptimes are told, a period. */
    private static final Duration APART =
            LEASE.plus(LEASE.dividedBy(100)).plusMillis(2).plusSeconds(1).plus(LEASE.dividedBy(3));

    @Test
    @Tag("once")
    @Tag("proof")
    void noHoldIsLostWhileServersForgetOneByOne() throws Exception {
        LockClient client = warm(connectQuorum(urls(), GUARDED));
        try (LockHold hold = client.getLock(NAME, WATCHED).acquire()) {
            long token = hold.fencingToken();
            awaitKeepers(3);
            for (RedisServer server : servers) {
                server.kill();
                server.restart();
                long backNanos = System.nanoTime();
                await().until(() -> System.nanoTime() - backNanos > APART.toNanos());
                assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
                assertThat(keepers(servers.stream(), NAME))
                        .as("servers that have the hold when the next one goes")
                        .isEqualTo(3);
            }
            assertThat(hold.fencingToken()).isEqualTo(token);
        }
        awaitNothingLeft();
    }
}
