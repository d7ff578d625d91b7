package io.holdfast.lock.tests.sentinel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The failover guard and locks with a queue: the primary is killed while a lock is held, and while another call stands in its queue. */
@Tag("proof")
class GuardedQueueTest extends GuardedSentinelTest {

    /** As what a lock is held, and wanted by the call behind. */
    enum Kinds {
        FAIR {
            @Override
            RLock held(LockClient client, String name) {
                return client.getFairLock(name);
            }

            @Override
            RLock wanted(LockClient client, String name) {
                return client.getFairLock(name);
            }
        },
        READ_AND_WRITE {
            @Override
            RLock held(LockClient client, String name) {
                return client.getReadWriteLock(name).readLock();
            }

            @Override
            RLock wanted(LockClient client, String name) {
                return client.getReadWriteLock(name).writeLock();
            }
        },
        WRITE_AND_READ {
            @Override
            RLock held(LockClient client, String name) {
                return client.getReadWriteLock(name).writeLock();
            }

            @Override
            RLock wanted(LockClient client, String name) {
                return client.getReadWriteLock(name).readLock();
            }
        };

        abstract RLock held(LockClient client, String name);

        abstract RLock wanted(LockClient client, String name);
    }

    /** Two thirds of it outlast a failover and the silence, also on a busy machine. */
    @Override
    Duration lease() {
        return Duration.ofSeconds(20);
    }

    @ParameterizedTest
    @EnumSource
    void aHoldThatIsKnownGoesOnAndNoOtherIsGrantedInThePause(Kinds kinds) throws Exception {
        LockHold hold = kinds.held(connect(), "stock").acquire();
        RFuture<LockHold> waiting = queued(kinds, connect());
        LockClient third = connect();
        kinds.held(third, "before").acquire().release();
        awaitReplicated("stock");
        RedisServer old = group.primary();
        old.kill();
        RedisServer now = group.awaitOtherPrimary(old);
        awaitTerm(now);

        eventually(() -> assertThatThrownBy(() -> kinds.held(third, "free").tryLock(200, TimeUnit.MILLISECONDS))
                .isInstanceOfSatisfying(LockException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(FailureReason.PAUSED)));
        assertThat(has(now, "free")).isFalse();
        grantedAfterThePause(kinds.held(third, "free").acquireAsync(), now).close();
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

    /** Its owner is told at once, and the call behind it is granted the lock when the owner's validity would have been over. */
    @ParameterizedTest
    @EnumSource
    void aHoldThatIsNotKnownIsToldAndOthersWaitForThePause(Kinds kinds) throws Exception {
        LockHold hold = kinds.held(connect(), "stock").acquire();
        long token = hold.fencingToken();
        RFuture<LockHold> waiting = queued(kinds, connect());
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

    /** The next in the queue is named, and what is kept for it is no grant before the pause is over. */
    @ParameterizedTest
    @EnumSource
    void aReleaseInThePauseIsNoGrantToTheNext(Kinds kinds) throws Exception {
        LockHold hold = kinds.held(connect(), "stock").acquire();
        RFuture<LockHold> waiting = queued(kinds, connect());
        awaitReplicated("stock");
        RedisServer old = group.primary();
        old.pause();
        RedisServer now = group.awaitOtherPrimary(old);
        awaitTerm(now);
        eventually(() -> assertThat(connections(now)).hasSizeGreaterThanOrEqualTo(2));
        hold.release();
        assertThat(waiting.isDone()).isFalse();
        grantedAfterThePause(waiting, now).close();
    }

    private static RFuture<LockHold> queued(Kinds kinds, LockClient client) {
        RFuture<LockHold> waiting = kinds.wanted(client, "stock").acquireAsync();
        eventually(() -> assertThat(client.inspect("stock").queue()).hasSize(1));
        return waiting;
    }
}
