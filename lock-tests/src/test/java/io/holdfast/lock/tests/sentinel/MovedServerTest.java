package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.NodeAddress;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The address that Sentinels name moves to another server, and the server of before goes on. */
@Tag("proof")
@Tag("once")
class MovedServerTest extends SentinelTest {

    private volatile RedisServer target;

    @Test
    void aClientOfTheOldServerIsToldOfTheNewOne() throws Exception {
        RedisServer old = opening(RedisServer.start());
        RedisServer now = opening(RedisServer.start());
        FaultProxy address = opening(FaultProxy.to(old));
        target = old;
        monitor(address);
        LockClient client = connect(
                "redis-sentinel://"
                        + group.sentinels().stream().map(group::addressOf).collect(Collectors.joining(","))
                        + "/moved",
                options()
                        .addressMapper(announced -> announced.port() == address.port()
                                ? new NodeAddress(target.host(), target.port())
                                : announced)
                        .build());
        LockHold hold = client.getLock("stock", Clients.watchdog(LONG_LEASE)).acquire();
        long token = hold.fencingToken();
        assertThat(has(old, "stock")).isTrue();

        target = now;
        address.lead(now);
        address.cutAll();

        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILED_OVER);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        try (LockHold next = client.getLock("stock").acquire()) {
            assertThat(has(now, "stock")).isTrue();
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
        eventually(() -> assertThat(connections(old)).isEmpty());
    }

    /** Has the group's Sentinels watch another primary too, and waits until all know each other there. */
    private void monitor(FaultProxy primary) {
        for (RedisServer sentinel : group.sentinels()) {
            try (RawRedis raw = sentinel.connect()) {
                raw.command("SENTINEL", "MONITOR", "moved", primary.host(), Integer.toString(primary.port()), "2");
            }
        }
        for (RedisServer sentinel : group.sentinels()) {
            eventually(() -> {
                try (RawRedis raw = sentinel.connect()) {
                    assertThat(raw.command("SENTINEL", "MASTER", "moved").toString())
                            .contains("num-other-sentinels, 2");
                }
            });
        }
    }
}
