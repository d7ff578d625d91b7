package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 12 with the failover guard: the primary is killed while locks are held, known to its replicas or not. */
@Tag("proof")
class GuardedFailoverTest extends GuardedSentinelTest {

    /** Two thirds of it outlast a failover and the silence, also on a busy machine. */
    @Override
    Duration lease() {
        return Duration.ofSeconds(20);
    }

    @Test
    void aHoldThatIsKnownGoesOnAndNoOtherIsGrantedInThePause() throws Exception {
        LockHold hold = connect().getLock("stock").acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        LockClient third = connect();
        third.getLock("before").acquire().release();
        awaitReplicated("stock");
        RedisServer old = group.primary();
        old.kill();
        RedisServer now = group.awaitOtherPrimary(old);
        awaitTerm(now);

        assertFails(third, "free", FailureReason.PAUSED);
        assertThat(has(now, "free")).isFalse();
        try (LockHold free = grantedAfterThePause(third.getLock("free").acquireAsync(), now)) {
            assertThat(has(now, free.name())).isTrue();
        }
        // The pause is longer than a lease: so it was renewed in it.
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(hold.validFor()).isPositive();
        assertThat(waiting.isDone()).isFalse();
        long token = hold.fencingToken();
        hold.release();
        try (LockHold next = Futures.get(waiting)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
    }

    /** Its owner is told at once, and the next one is granted the lock when the owner's validity would have been over. */
    @Test
    void aHoldThatIsNotKnownIsToldAndOthersWaitForThePause() throws Exception {
        LockHold hold = connect().getLock("stock").acquire();
        long token = hold.fencingToken();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        forgetAtReplicas("stock");
        RedisServer old = group.primary();
        old.kill();
        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILED_OVER);
        assertThat(waiting.isDone()).isFalse();
        RedisServer now = group.awaitOtherPrimary(old);
        try (LockHold next = grantedAfterThePause(waiting, now)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
    }

    /** Nothing is asked before the first call, which waits for the Sentinels' answers. */
    @Test
    void aLazyClientIsGuardedFromItsFirstCallOn() throws Exception {
        LockClient lazy = connect(group.url(), options().lazy(true).build());
        try (LockHold hold = lazy.getLock("stock").acquire()) {
            assertThat(has(group.primary(), hold.name())).isTrue();
        }
    }

    @Test
    void aReleaseInThePauseIsNoGrantToTheNext() throws Exception {
        LockHold hold = connect().getLock("stock").acquire();
        RFuture<LockHold> waiting = connect().getLock("stock").acquireAsync();
        awaitReplicated("stock");
        RedisServer old = group.primary();
        old.pause();
        RedisServer now = group.awaitOtherPrimary(old);
        awaitTerm(now);
        eventually(() -> assertThat(connections(now)).hasSizeGreaterThanOrEqualTo(3));
        hold.release();
        assertThat(has(now, "stock")).isFalse();
        assertThat(waiting.isDone()).isFalse();
        try (LockHold next = grantedAfterThePause(waiting, now)) {
            assertThat(has(now, next.name())).isTrue();
        }
    }
}
