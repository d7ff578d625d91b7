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

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final LockOptions WATCHED =
            LockOptions.builder().watchdogLease(LEASE).build();
    private static final QuorumOptions GUARDED =
            PATIENT.toBuilder().longestLease(LEASE).build();

    /** The longest lease and its margins, with the second in which uptimes are told, and two periods to be asked in. */
    private static final Duration APART = LEASE.plusSeconds(2).plus(LEASE);

    @Test
    @Tag("once")
    void noHoldIsLostWhileServersForgetOneByOne() throws Exception {
        LockClient client = warm(connectQuorum(urls(), GUARDED));
        try (LockHold hold = client.getLock(NAME, WATCHED).acquire()) {
            long token = hold.fencingToken();
            for (RedisServer server : servers) {
                awaitKeepers(3);
                server.kill();
                server.restart();
                await().atMost(APART.multipliedBy(5)).untilAsserted(() -> {
                    assertThat(hold.state()).isIn(HoldState.HELD, HoldState.UNCERTAIN);
                    assertThat(keepers(servers.stream(), NAME)).isEqualTo(3);
                });
            }
            assertThat(hold.fencingToken()).isEqualTo(token);
        }
        awaitNothingLeft();
    }
}
