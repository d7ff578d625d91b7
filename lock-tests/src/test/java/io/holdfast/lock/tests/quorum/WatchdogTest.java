package io.holdfast.lock.tests.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Renewal over several servers: a minority is not missed, a majority is, in time. */
class WatchdogTest extends QuorumTest {

    private static final Duration LEASE = Duration.ofMillis(1_200);
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(250);
    private static final Duration SLACK = Duration.ofMillis(400);
    private static final QuorumOptions OPTIONS = PATIENT.toBuilder()
            .nodeTimeout(Duration.ofMillis(200))
            .longestLease(LEASE)
            .build();

    private RLock lock() throws InterruptedException {
        return warm(connectQuorum(urls(), Clients.quick().commandTimeout(COMMAND_TIMEOUT), OPTIONS))
                .getLock(NAME, Clients.watchdog(LEASE));
    }

    @Tag("proof")
    @Test
    void aHoldOutlivesTheLossOfAMinorityAndNeverLooksUncertain() throws Exception {
        LockHold hold = lock().acquire();
        awaitKeepers(5);
        servers.get(0).kill();
        servers.get(3).pause();
        long startNanos = System.nanoTime();
        await().pollInterval(Duration.ofMillis(5)).atMost(LEASE.multipliedBy(4)).until(() -> {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            return System.nanoTime() - startNanos
                    > LEASE.multipliedBy(5).dividedBy(2).toNanos();
        });
        servers.get(3).resume();
        hold.close();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
    }

    @Tag("proof")
    @Test
    void theLossOfAMajorityIsToldInTimeAndSaysWhatEachServerDid() throws Exception {
        LockHold hold = lock().acquire();
        awaitKeepers(5);
        long startNanos = System.nanoTime();
        List<RedisServer> gone = servers.subList(1, 4);
        gone.forEach(RedisServer::kill);
        await().pollInterval(Duration.ofMillis(2)).until(() -> hold.state() == HoldState.UNCERTAIN);
        assertThat(hold.validFor()).isPositive();

        LockLoss loss = Futures.get(hold.lost().toCompletableFuture());
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos))
                .isLessThan(LEASE.plus(SLACK).toMillis());
        assertThat(loss.reason()).isEqualTo(LossReason.NOT_RENEWED);
        for (RedisServer server : servers) {
            assertThat(loss.detail()).contains(Integer.toString(server.port()));
        }
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThatThrownBy(hold::fencingToken).isInstanceOf(LockLostException.class);
        assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
    }

    @Tag("proof")
    @Test
    void theLossOfAMajorityThatHangsIsToldWithinTheValidity() throws Exception {
        LockHold hold = lock().acquire();
        awaitKeepers(5);
        long startNanos = System.nanoTime();
        pause(servers.subList(0, 3));
        LockLoss loss = Futures.get(hold.lost().toCompletableFuture());
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos))
                .isLessThan(LEASE.plus(SLACK).toMillis());
        assertThat(loss.reason()).isEqualTo(LossReason.NOT_RENEWED);
        assertThat(loss.detail()).contains(Integer.toString(servers.get(0).port()));
    }

    /** A majority that is back in time saves the hold. */
    @Tag("proof")
    @Test
    void aMajorityThatHangsForLessThanTheLeaseIsForgiven() throws Exception {
        LockHold hold = lock().acquire();
        awaitKeepers(5);
        pause(servers.subList(0, 3));
        await().until(() -> hold.validFor().compareTo(LEASE.dividedBy(2)) < 0);
        resume(servers.subList(0, 3));
        await().atMost(LEASE)
                .until(() -> hold.state() == HoldState.HELD && hold.validFor().compareTo(LEASE.dividedBy(2)) > 0);
        hold.close();
    }

    @Tag("proof")
    @Test
    void locksAreTakenAgainAfterAMajorityHasComeBack() throws Exception {
        RLock lock = lock();
        LockHold before = lock.acquire();
        long token = before.fencingToken();
        servers.get(0).kill();
        pause(servers.subList(1, 3));
        Futures.get(before.lost().toCompletableFuture());
        resume(servers.subList(1, 3));
        servers.get(0).restart();

        try (LockHold after = lock.tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
            assertThat(after.fencingToken()).isGreaterThan(token);
        }
    }

    /** Renewal never makes a key anew: a lock that a majority has forgotten is lost, though every server answers. */
    @Tag("proof")
    @Test
    void aLockThatAMajorityHasForgottenIsLostAtTheNextRenewal() throws Exception {
        LockHold hold = lock().acquire();
        awaitKeepers(5);
        raws.subList(0, 2).forEach(raw -> raw.command("FLUSHALL"));
        // On a busy machine a renewal may be late, and the hold uncertain for a while; once lost it would never be held
        // again.
        await().during(LEASE).atMost(LEASE.multipliedBy(10)).until(() -> hold.state() == HoldState.HELD);
        assertThat(keepers(servers.subList(0, 2).stream(), NAME)).isZero();

        raws.get(2).command("FLUSHALL");
        LockLoss loss = Futures.get(hold.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.KEY_GONE);
        assertThat(keepers(servers.subList(0, 3).stream(), NAME)).isZero();
    }
}
