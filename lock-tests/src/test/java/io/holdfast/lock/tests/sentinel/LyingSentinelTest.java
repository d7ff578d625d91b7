package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerMode;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Row 12d: one of the Sentinels in the address is of another group, which has the same name. It is as real as the others, and
 * names a healthy server of its own in an epoch that is greater than theirs.
 */
@Tag("proof")
class LyingSentinelTest extends SentinelTest {

    private static final String GREATER_EPOCH = "99";

    private RedisServer elsewhere;
    private RedisServer liar;

    @Override
    ClientOptions.Builder options() {
        return Clients.quick()
                .sentinel(
                        SentinelOptions.builder().silence(Duration.ofSeconds(1)).build());
    }

    @BeforeEach
    void startLiar() {
        elsewhere = opening(RedisServer.start());
        liar = opening(RedisServer.builder()
                .mode(ServerMode.SENTINEL)
                .option("sentinel", "monitor", group.name(), elsewhere.host(), "" + elsewhere.port(), "1")
                .option("sentinel", "config-epoch", group.name(), GREATER_EPOCH)
                .option("sentinel", "current-epoch", GREATER_EPOCH)
                .start());
    }

    @Test
    void itMovesNoClientBeforeASwitchNorAfterIt() throws Exception {
        LockClient client = connect(url(), options().build());
        LockHold hold = client.getLock("stock", Clients.watchdog(LONG_LEASE)).acquire();
        RFuture<LockHold> waiting =
                connect(url(), options().build()).getLock("stock").acquireAsync();
        awaitReplicated("stock");
        eventually(() -> assertThat(connections(liar)).as("it is asked").hasSize(2));
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        OurConnections.awaitNoneAt(old);

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        hold.release();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(has(now, next.name())).isTrue();
        }
        assertThat(has(elsewhere, "stock")).isFalse();
        assertThat(connections(elsewhere)).isEmpty();
    }

    /** Two Sentinels of the group, and the liar in the place of the third. */
    private String url() {
        return "redis-sentinel://" + group.addressOf(group.sentinels().get(0)) + ","
                + group.addressOf(group.sentinels().get(1)) + "," + liar.host() + ":" + liar.port() + "/"
                + group.name();
    }
}
