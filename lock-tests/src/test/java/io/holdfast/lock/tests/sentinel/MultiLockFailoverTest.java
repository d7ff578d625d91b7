package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.testkit.TlsMode;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import io.holdfast.lock.tests.support.TrustedTls;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 10: a lock made of two, one of them behind Sentinels and by TLS, the other at a server of its own that stays. */
@Tag("proof")
class MultiLockFailoverTest extends SentinelTest {

    private static final LockOptions LONG_LEASED = Clients.watchdog(LONG_LEASE);

    private RedisServer alone;

    @Override
    SentinelGroup group() {
        return SentinelGroup.builder()
                .downAfter(Duration.ofMillis(1_500))
                .tls(TlsMode.SERVER)
                .start();
    }

    @Override
    ClientOptions.Builder options() {
        return Clients.quick().tls(TrustedTls.tls(group.servers().get(0)));
    }

    @BeforeEach
    void startAnother() {
        alone = opening(RedisServer.start());
    }

    /** Of two clients of its own, as in an application. */
    private RLock both() {
        LockClient elsewhere =
                opening(LockClient.connect(alone.url(), Clients.quick().build()));
        return MultiLock.of(connect().getLock("stock", LONG_LEASED), elsewhere.getLock("order", LONG_LEASED));
    }

    @Test
    void itOutlivesASwitchAndIsHandedOnAtTheNewPrimary() throws Exception {
        LockHold hold = both().acquire();
        RFuture<LockHold> waiting = both().acquireAsync();
        awaitReplicated("stock");
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        OurConnections.awaitNoneAt(old);

        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(has(now, "stock")).isTrue();
        assertThat(has(alone, "order")).isTrue();
        assertThat(waiting.isDone()).isFalse();
        hold.release();
        Futures.get(waiting).release();
        assertThat(has(now, "stock")).isFalse();
        assertThat(has(alone, "order")).isFalse();
    }

    @Test
    void itIsLostWithTheMemberThatTheNewPrimaryNeverGot() throws Exception {
        LockHold hold = both().acquire();
        RFuture<LockHold> waiting = both().acquireAsync();
        forgetAtReplicas("stock");
        group.primary().kill();

        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILED_OVER);
        assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.state()).isEqualTo(HoldState.HELD);
            assertThat(has(alone, "order")).isTrue();
        }
        assertThat(has(alone, "order")).isFalse();
    }
}
