package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handles: what they know, how they are lengthened, how they tell a loss, and how they are given back. */
class HoldTest extends ServerTest {

    private static final Duration SHORT = Duration.ofMillis(200);

    private LockClient client;
    private RLock lock;

    @BeforeEach
    void connectClient() {
        client = connect();
        lock = client.getLock("held");
    }

    @Test
    void itKnowsItself() throws Exception {
        try (LockHold hold = lock.acquire()) {
            assertThat(hold.name()).isEqualTo("held");
            assertThat(hold.owner()).startsWith(client.id() + ":");
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            assertThat(hold.fencingToken()).isPositive();
            assertThat(hold.validFor()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
            assertThat(hold.lost().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void closingItTwiceDoesNothing() throws Exception {
        LockHold hold = lock.acquire();
        hold.close();
        LockHold successor = lock.acquire();
        hold.close();
        hold.release();
        Futures.get(hold.releaseAsync());
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(hold.validFor()).isZero();
        assertThat(successor.state()).isEqualTo(HoldState.HELD);
        assertThat(lock.isLocked()).isTrue();
        successor.close();
    }

    @Test
    void itCanBeClosedByAnyThread() throws Exception {
        LockHold hold = lock.acquire();
        Futures.get(CompletableFuture.runAsync(hold::close));
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void extendingRaisesTheLeaseAndNeverLowersIt() throws Exception {
        try (LockHold hold = lock.withLease(Duration.ofSeconds(5)).acquire()) {
            hold.extend(Duration.ofSeconds(40));
            assertThat(timeToLive()).isBetween(35_000L, 40_000L);
            assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(35));
            hold.extend(Duration.ofSeconds(1));
            assertThat(timeToLive()).isGreaterThan(35_000);
            assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(35));
            Futures.get(hold.extendAsync(Duration.ofSeconds(60)));
            assertThat(timeToLive()).isGreaterThan(55_000);
        }
    }

    @Test
    void ensuringAsksTheServerOnlyWhenItHasTo() throws Exception {
        try (LockHold hold = lock.withLease(Duration.ofSeconds(10)).acquire()) {
            hold.extend(Duration.ofSeconds(1));
            long before = scripts();
            hold.ensure(Duration.ofSeconds(5));
            assertThat(scripts()).isEqualTo(before);
            hold.ensure(Duration.ofSeconds(20));
            assertThat(scripts()).isEqualTo(before + 1);
            assertThat(hold.validFor()).isGreaterThanOrEqualTo(Duration.ofMillis(19_900));
            Futures.get(hold.ensureAsync(Duration.ofSeconds(15)));
            assertThat(scripts()).isEqualTo(before + 1);
            Futures.get(hold.ensureAsync(Duration.ofSeconds(40)));
            assertThat(scripts()).isEqualTo(before + 2);
            assertThat(hold.validFor()).isGreaterThanOrEqualTo(Duration.ofMillis(39_900));
        }
    }

    @Test
    void aFixedLeaseThatRunsOutIsToldOnceWithoutAnybodyAsking() throws Exception {
        LockHold hold = lock.withLease(SHORT).acquire();
        List<LockLoss> told = new CopyOnWriteArrayList<>();
        assertThat(hold.onLost(told::add)).isSameAs(hold);
        eventually(() -> assertThat(told).hasSize(1));
        LockLoss loss = told.get(0);
        assertThat(loss.name()).isEqualTo("held");
        assertThat(loss.owner()).isEqualTo(hold.owner());
        assertThat(loss.reason()).isEqualTo(LossReason.LEASE_EXPIRED);
        assertThat(loss.fencingToken()).isPositive();
        assertThat(hold.lost().toCompletableFuture().join()).isEqualTo(loss);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.validFor()).isZero();
        assertThatThrownBy(hold::fencingToken).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> hold.extend(SHORT)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> hold.ensure(SHORT)).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> Futures.get(hold.extendAsync(SHORT))).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> Futures.get(hold.ensureAsync(SHORT))).isInstanceOf(LockLostException.class);
        assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
        hold.close();
        assertThat(told).hasSize(1);
    }

    /** It has acted on the loss: what the body returns counts. */
    @Test
    void closingThrowsNoLossThatACallbackHasHeardOf() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        assertThat(resultUnder(hold -> {
                    hold.onLost(loss -> told.countDown());
                    lock.forceUnlock();
                    Futures.await(told);
                }))
                .isEqualTo("done");
        assertThatThrownBy(() -> resultUnder(hold -> lock.forceUnlock()))
                .as("no callback")
                .isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> resultUnder(hold -> {
                    hold.onLost(loss -> {});
                    raw.command("FLUSHALL");
                }))
                .as("the release finds it out")
                .isInstanceOf(LockLostException.class);
    }

    private String resultUnder(Consumer<LockHold> body) throws InterruptedException {
        try (LockHold hold = lock.acquire()) {
            body.accept(hold);
            return "done";
        }
    }

    @Test
    void aFixedLeaseThatRunsOutIsEndedByTheServer() throws Exception {
        long before = scripts();
        LockHold hold = lock.withLease(SHORT).acquire();
        eventually(() -> assertThat(hold.state()).isEqualTo(HoldState.LOST));
        eventually(() -> assertThat(lockKeys()).isEmpty());
        assertThat(scripts()).as("nothing but the request for it").isEqualTo(before + 1);
        assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
    }

    @Tag("proof")
    @Test
    void noOwnerGetsTheLockBeforeItsFixedLeaseIsOver() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        for (LockClient waiting : List.of(client, connect())) {
            long start = System.nanoTime();
            LockHold hold = lock.withLease(lease).acquire();
            LockHold next = waiting.getLock("held").acquire();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(lease.minusMillis(1));
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            next.close();
        }
    }

    @Test
    void aValidityOfADayCanBeEnsured() throws Exception {
        try (LockHold hold = lock.withLease(Duration.ofSeconds(10)).acquire()) {
            hold.ensure(Duration.ofDays(1));
            assertThat(hold.validFor()).isGreaterThanOrEqualTo(Duration.ofDays(1));
        }
    }

    @Test
    void aValidityBeyondAllLeasesIsRefused() throws Exception {
        try (LockHold hold = lock.acquire()) {
            for (Duration tooLong : List.of(Duration.ofDays(4_000), Duration.ofMillis(Long.MAX_VALUE))) {
                assertThatThrownBy(() -> hold.ensure(tooLong)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> hold.extend(tooLong)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> hold.extendAsync(tooLong)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> hold.ensureAsync(tooLong)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(hold.validFor()).isLessThan(Duration.ofSeconds(30));
        }
    }

    @Test
    void aCallbackThatComesAfterTheLossIsCalledToo() throws Exception {
        LockHold hold = lock.withLease(SHORT).acquire();
        eventually(() -> assertThat(hold.state()).isEqualTo(HoldState.LOST));
        List<LockLoss> told = new CopyOnWriteArrayList<>();
        hold.onLost(told::add).onLost(told::add);
        eventually(() -> assertThat(told).hasSize(2));
        assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
    }

    @Test
    void aReleasedHoldIsNeverToldLost() throws Exception {
        LockHold hold = lock.withLease(SHORT).acquire();
        CompletableFuture<LockLoss> lost = hold.lost().toCompletableFuture();
        hold.close();
        lock.withLease(SHORT).acquire();
        eventually(() -> assertThat(lockKeys()).isEmpty());
        assertThat(lost).isNotDone();
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
    }

    @Test
    void aCallbackThatFailsHarmsNobody() throws Exception {
        LockHold hold = lock.withLease(SHORT).acquire();
        List<LockLoss> told = new CopyOnWriteArrayList<>();
        hold.onLost(loss -> {
            throw new IllegalStateException("a bug of the application");
        });
        hold.onLost(told::add);
        eventually(() -> assertThat(told).hasSize(1));
        assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class);
    }

    @Test
    void aWatchedHoldWhoseKeyHasGoneIsToldByItsNextRenewal() throws Exception {
        LockOptions quick =
                LockOptions.builder().watchdogLease(Duration.ofMillis(1_500)).build();
        LockHold hold = client.getLock("held", quick).acquire();
        raw.command("DEL", "holdfast:{held}");
        eventually(() -> assertThat(hold.state()).isEqualTo(HoldState.LOST));
        assertThat(hold.lost().toCompletableFuture().join().reason()).isEqualTo(LossReason.KEY_GONE);
        assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void theLongestHoldEndsTheWatchdog() throws Exception {
        LockOptions bounded = LockOptions.builder()
                .watchdogLease(Duration.ofMillis(200))
                .maxHold(Duration.ofMillis(700))
                .build();
        long start = System.nanoTime();
        LockHold hold = client.getLock("held", bounded).acquire();
        LockLoss loss = Futures.get(hold.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.MAX_HOLD);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(450), Duration.ofMillis(1_500));
        assertThatThrownBy(hold::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void runLockedRunsUnderTheLockAndGivesItBack() throws Exception {
        AtomicReference<HoldState> during = new AtomicReference<>();
        client.runLocked("held", SHORT, hold -> {
            during.set(hold.state());
            assertThat(lock.isLocked()).isTrue();
        });
        assertThat(during).hasValue(HoldState.HELD);
        assertThat(lock.isLocked()).isFalse();
        String result = client.callLocked("held", SHORT, hold -> "done");
        assertThat(result).isEqualTo("done");
    }

    @Test
    void runLockedDoesNotRunWithoutTheLock() throws Exception {
        AtomicReference<HoldState> during = new AtomicReference<>();
        try (LockHold held = lock.acquire()) {
            assertThatThrownBy(() -> client.runLocked("held", Duration.ofMillis(50), hold -> during.set(hold.state())))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("'held'");
            assertThat(held.fencingToken()).isPositive();
        }
        assertThat(during).hasNullValue();
    }

    @Test
    void runLockedPassesTheActionSFailureOnAndGivesTheLockBack() {
        assertThatThrownBy(() -> client.runLocked("held", SHORT, hold -> {
                    throw new IOException("of the application");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("of the application");
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void runLockedTellsThatTheLockWasLostBeforeTheEnd() {
        assertThatThrownBy(() -> client.runLocked("held", SHORT, hold -> lock.forceUnlock()))
                .isInstanceOf(LockLostException.class);
    }

    private long timeToLive() {
        return raw.integer("PTTL", "holdfast:{held}");
    }
}
