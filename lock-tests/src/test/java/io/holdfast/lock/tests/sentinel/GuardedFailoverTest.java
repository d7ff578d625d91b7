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
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Stored;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Row 12 with the failover guard: the primary is killed while one call holds a lock, known to its replicas or not, and another
 * waits for it.
 */
@Tag("proof")
class GuardedFailoverTest extends GuardedSentinelTest {

    private static final byte[] VALUE = {1};

    /** As what it is held, and wanted by the call behind. */
    enum Kinds {
        PLAIN {
            @Override
            RFuture<? extends LockHold> hold(LockClient client, String name) {
                return client.getLock(name).acquireAsync();
            }

            @Override
            boolean tryHold(LockClient client, String name) throws InterruptedException {
                return client.getLock(name).tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            }
        },
        FAIR {
            @Override
            RFuture<? extends LockHold> hold(LockClient client, String name) {
                return client.getFairLock(name).acquireAsync();
            }

            @Override
            boolean tryHold(LockClient client, String name) throws InterruptedException {
                return client.getFairLock(name).tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            }
        },
        READ_AND_WRITE {
            @Override
            RFuture<? extends LockHold> hold(LockClient client, String name) {
                return client.getReadWriteLock(name).readLock().acquireAsync();
            }

            @Override
            RFuture<? extends LockHold> want(LockClient client, String name) {
                return client.getReadWriteLock(name).writeLock().acquireAsync();
            }

            @Override
            boolean tryHold(LockClient client, String name) throws InterruptedException {
                return client.getReadWriteLock(name).readLock().tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            }
        },
        WRITE_AND_READ {
            @Override
            RFuture<? extends LockHold> hold(LockClient client, String name) {
                return client.getReadWriteLock(name).writeLock().acquireAsync();
            }

            @Override
            RFuture<? extends LockHold> want(LockClient client, String name) {
                return client.getReadWriteLock(name).readLock().acquireAsync();
            }

            @Override
            boolean tryHold(LockClient client, String name) throws InterruptedException {
                return client.getReadWriteLock(name).writeLock().tryLock(SHORT.toMillis(), TimeUnit.MILLISECONDS);
            }
        },
        PERMIT {
            @Override
            String key(String name) {
                return Stored.key(name) + ":permits";
            }

            @Override
            void prepare(LockClient client, String name) {
                client.getPermitExpirableSemaphore(name).setPermits(1);
            }

            @Override
            RFuture<? extends LockHold> hold(LockClient client, String name) {
                return client.getPermitExpirableSemaphore(name).acquireHoldAsync();
            }

            @Override
            boolean tryHold(LockClient client, String name) throws InterruptedException {
                return client.getPermitExpirableSemaphore(name)
                        .tryAcquireHold(SHORT)
                        .isPresent();
            }
        },
        ELECTION {
            @Override
            RFuture<? extends LockHold> hold(LockClient client, String name) {
                return client.getElection(name).campaignAsync("candidate", VALUE);
            }

            @Override
            boolean tryHold(LockClient client, String name) throws InterruptedException {
                return client.getElection(name)
                        .campaign("candidate", VALUE, SHORT)
                        .isPresent();
            }
        };

        private static final Duration SHORT = Duration.ofMillis(200);

        /** The key that is there while it is held; its queue's begins with it. */
        String key(String name) {
            return Stored.key(name);
        }

        /** What has to be said before it can be held. */
        void prepare(LockClient client, String name) {}

        abstract RFuture<? extends LockHold> hold(LockClient client, String name);

        /** One that is not let in beside the hold. */
        RFuture<? extends LockHold> want(LockClient client, String name) {
            return hold(client, name);
        }

        abstract boolean tryHold(LockClient client, String name) throws InterruptedException;
    }

    /** Two thirds of it outlast a failover and the silence, also on a busy machine. */
    @Override
    Duration lease() {
        return Duration.ofSeconds(20);
    }

    /** A limit never expires, nor does a leader's record for an hour. */
    @AfterEach
    void forgetLimitsAndRecords() {
        eventually(() -> {
            try (RawRedis raw = group.primary().connect()) {
                for (String name : List.of("stock", "before", "free")) {
                    raw.command("DEL", Stored.key(name) + ":limit", Stored.key(name) + ":leader");
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aHoldThatIsKnownGoesOnAndNoOtherIsGrantedInThePause(Kinds kinds) throws Exception {
        LockHold hold = held(kinds);
        RFuture<? extends LockHold> waiting = queued(kinds);
        LockClient third = connect();
        kinds.prepare(third, "before");
        kinds.prepare(third, "free");
        Futures.get(kinds.hold(third, "before")).release();
        awaitKeyAtReplicas(kinds.key("stock"));
        RedisServer old = group.primary();
        old.kill();
        RedisServer now = group.awaitOtherPrimary(old);
        awaitTerm(now);

        eventually(() -> assertThatThrownBy(() -> kinds.tryHold(third, "free"))
                .isInstanceOfSatisfying(LockException.class, failed -> assertThat(failed.reason())
                        .isEqualTo(FailureReason.PAUSED)));
        assertThat(hasKey(now, kinds.key("free"))).isFalse();
        grantedAfterThePause(kinds.hold(third, "free"), now).close();
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
        LockHold hold = held(kinds);
        long token = hold.fencingToken();
        RFuture<? extends LockHold> waiting = queued(kinds);
        forgetKeyAtReplicas(kinds.key("stock"));
        RedisServer old = group.primary();
        old.kill();
        assertThat(Futures.get(hold.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILED_OVER);
        assertThat(waiting.isDone()).isFalse();
        RedisServer now = group.awaitOtherPrimary(old);
        kinds.prepare(connect(), "stock");
        try (LockHold next = grantedAfterThePause(waiting, now)) {
            assertThat(next.fencingToken()).isGreaterThan(token);
        }
    }

    /** The next in the queue is named, and what is kept for it is no grant before the pause is over. */
    @ParameterizedTest
    @EnumSource
    void aReleaseInThePauseIsNoGrantToTheNext(Kinds kinds) throws Exception {
        LockHold hold = held(kinds);
        RFuture<? extends LockHold> waiting = queued(kinds);
        awaitKeyAtReplicas(kinds.key("stock"));
        RedisServer old = group.primary();
        old.pause();
        RedisServer now = group.awaitOtherPrimary(old);
        awaitTerm(now);
        eventually(() -> assertThat(connections(now)).hasSizeGreaterThanOrEqualTo(2));
        hold.release();
        assertThat(waiting.isDone()).isFalse();
        grantedAfterThePause(waiting, now).close();
    }

    /** Nothing is asked before the first call, which waits for the Sentinels' answers. */
    @Test
    void aLazyClientIsGuardedFromItsFirstCallOn() throws Exception {
        LockClient lazy = connect(group.url(), options().lazy(true).build());
        try (LockHold hold = lazy.getLock("stock").acquire()) {
            assertThat(has(group.primary(), hold.name())).isTrue();
        }
    }

    private LockHold held(Kinds kinds) {
        LockClient client = connect();
        kinds.prepare(client, "stock");
        return Futures.get(kinds.hold(client, "stock"));
    }

    private RFuture<? extends LockHold> queued(Kinds kinds) {
        RFuture<? extends LockHold> waiting = kinds.want(connect(), "stock");
        if (kinds != Kinds.PLAIN) {
            eventually(() -> assertThat(hasKey(group.primary(), kinds.key("stock") + ":queue"))
                    .isTrue());
        }
        return waiting;
    }
}
