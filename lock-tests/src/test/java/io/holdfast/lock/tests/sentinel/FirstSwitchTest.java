package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.SentinelGroup;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.OurConnections;
import org.junit.jupiter.api.Test;

/** The one case that runs with every change; the others of this package take longer. */
class FirstSwitchTest extends SentinelTest {

    @Override
    SentinelGroup group() {
        return SentinelGroup.builder().replicas(1).start();
    }

    @Test
    void aHoldAndItsWaiterFollowThePrimary() throws Exception {
        LockHold hold = connect().getLock("stock").acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        awaitReplicated("stock");
        long token = hold.fencingToken();
        RedisServer old = group.primary();
        RedisServer now = group.failOver();
        OurConnections.awaitNoneAt(old);
        hold.release();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
            assertThat(has(now, "stock")).isTrue();
        }
    }
}
