package io.holdfast.lock.tests.contract;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldKind;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.tests.harness.EventChecker;
import io.holdfast.lock.tests.support.Ground;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every semaphore must do, whichever way its permits are given back. Two applications share one of three permits. */
abstract class PermitContract {

    private static final String NAME = "slots:42\nall";
    private static final Duration LONG = Duration.ofSeconds(20);
    /** A lease that is over soon, and not before its grant has come on a busy machine. */
    private static final Duration SHORT_LEASE = Duration.ofMillis(500);

    /** Hears of all calls of both: what it is told has to be in order, in each test. */
    private final EventChecker events = new EventChecker();

    private Ground ground;
    private LockClient client;
    private LockClient other;
    private RPermitExpirableSemaphore slots;
    private RPermitExpirableSemaphore same;

    final void begin(Ground newGround) {
        ground = newGround;
        client = connect();
        other = connect();
        slots = client.getPermitExpirableSemaphore(NAME);
        same = other.getPermitExpirableSemaphore(NAME);
        slots.setPermits(3);
    }

    private LockClient connect() {
        LockOptions told = LockOptions.builder().listener(events).build();
        return ground.connect(ClientOptions.builder()
                        .clientRecord(false)
                        .lockOptions(told)
                        .build())
                .clients()
                .get(0);
    }

    final void end() throws Exception {
        ground.nodes().forEach(node -> node.keys().forEach(key -> {
            if (key.endsWith(":limit")) {
                node.delete(key);
            }
        }));
        ground.end();
        ground.eventually(events::checkAllEnded);
    }

    // --- taking ---

    @Test
    void noMoreAreTakenThanTheLimitSays() throws Exception {
        String first = slots.acquire();
        List<String> two = same.acquire(2);
        assertThat(slots.tryAcquire()).isNull();
        assertThat(slots.tryAcquire(30, MILLISECONDS)).isNull();
        assertThat(same.tryAcquire(2)).isEmpty();
        assertThat(slots.availablePermits()).isZero();
        assertThat(slots.acquiredPermits()).isEqualTo(3);
        same.release(two.get(1));
        assertThat(slots.availablePermits()).isEqualTo(1);
        String next = slots.tryAcquire();
        assertThat(next).isNotNull().isNotIn(first, two.get(1));
        slots.release(List.of(first, next));
        same.release(two.get(0));
        assertThat(same.availablePermits()).isEqualTo(3);
    }

    @Test
    void severalAreTakenTogetherOrNotAtAll() throws Exception {
        String one = same.acquire();
        Future<List<String>> three = ground.elsewhere(() -> slots.acquire(3));
        awaitWaiters(client, 1);
        assertThat(slots.acquiredPermits()).isEqualTo(1);
        same.release(one);
        assertThat(ground.get(three)).hasSize(3).doesNotHaveDuplicates();
        for (String permit : ground.get(three)) {
            slots.release(permit);
        }
    }

    @Test
    void smallCallsDoNotPassALargeOne() throws Exception {
        String held = slots.acquire();
        Future<List<String>> large = ground.elsewhere(() -> same.acquire(3));
        awaitWaiters(other, 1);
        Future<String> small = ground.elsewhere(() -> slots.acquire());
        awaitWaiters(client, 1);
        assertThat(slots.tryAcquire()).as("two are left, and a call waits").isNull();
        slots.release(held);
        List<String> three = ground.get(large);
        assertThat(small.isDone()).isFalse();
        same.release(three);
        slots.release(ground.get(small));
    }

    @Test
    void manyThreadsNeverHaveMoreThanThereAre() {
        List<Future<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            RPermitExpirableSemaphore own = i % 2 == 0 ? slots : same;
            threads.add(ground.elsewhere(() -> {
                int most = 0;
                for (int round = 0; round < 10; round++) {
                    String permit = own.acquire();
                    most = Math.max(most, own.acquiredPermits());
                    own.release(permit);
                }
                return most;
            }));
        }
        threads.forEach(thread -> assertThat(ground.get(thread)).isBetween(1, 3));
        assertThat(slots.acquiredPermits()).isZero();
    }

    // --- each permit by itself ---

    @Test
    void eachHasATokenALeaseAndAnEndOfItsOwn() throws Exception {
        List<LockHold> holds = slots.tryAcquireHolds(3, Duration.ZERO, LONG);
        long first = holds.get(0).fencingToken();
        assertThat(holds).extracting(LockHold::fencingToken).containsExactly(first, first + 1, first + 2);
        assertThat(client.holds()).hasSize(3).extracting(HeldLock::kind).containsOnly(HoldKind.PERMIT);
        holds.get(1).close();
        assertThat(holds)
                .extracting(LockHold::state)
                .containsExactly(HoldState.HELD, HoldState.RELEASED, HoldState.HELD);
        holds.get(2).extend(LONG.multipliedBy(2));
        assertThat(holds.get(2).validFor()).isGreaterThan(LONG);
        assertThat(holds.get(0).validFor()).isLessThan(LONG);
        LockHold later = same.tryAcquireHold(Duration.ZERO).orElseThrow();
        assertThat(later.fencingToken()).isGreaterThan(first + 2);
        later.close();
        holds.get(0).close();
        holds.get(2).close();
    }

    @Test
    void aLeaseEndsByItselfAndTheHolderIsTold() throws Exception {
        slots.setPermits(1);
        LockHold hold = slots.tryAcquireHold(Duration.ZERO, SHORT_LEASE).orElseThrow();
        CompletableFuture<LockLoss> lost = hold.lost().toCompletableFuture();
        String next = same.tryAcquire(LONG.toSeconds(), SECONDS);
        assertThat(next).isNotNull();
        assertThat(ground.get(lost).reason()).isEqualTo(LossReason.LEASE_EXPIRED);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        same.release(next);
    }

    /** Where permits are counted, there is one more than the limit from then on. */
    @Test
    void aLateReleaseTakesNothingFromTheNext() throws Exception {
        slots.setPermits(1);
        String late = slots.acquire(SHORT_LEASE.toMillis(), MILLISECONDS);
        String next = same.tryAcquire(LONG.toSeconds(), SECONDS);
        assertThat(next).isNotNull();
        assertThat(slots.tryRelease(late)).isFalse();
        assertThatThrownBy(() -> slots.release(late))
                .isInstanceOf(LockNotHeldException.class)
                .hasMessageContainingAll("semaphore 'slots:42\\u000aall'", late, "is not taken");
        assertThat(slots.tryAcquire()).isNull();
        same.release(next);
        assertThat(slots.availablePermits()).isEqualTo(1);
    }

    @Test
    void aPermitUnderTheWatchdogOutlivesItsLease() throws Exception {
        LockOptions watched =
                LockOptions.builder().watchdogLease(Duration.ofSeconds(1)).build();
        LockHold hold = client.getPermitExpirableSemaphore(NAME, watched).acquireHold();
        assertThat(same.tryAcquire(3, 1_500, -1, MILLISECONDS)).isEmpty();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        hold.close();
    }

    @Test
    void anotherClientReleasesByItsId() throws Exception {
        String id = slots.acquire();
        assertThat(same.updateLeaseTime(id, 60, SECONDS)).isTrue();
        same.release(id);
        assertThat(same.acquiredPermits()).isZero();
        assertThat(same.updateLeaseTime(id, 60, SECONDS)).isFalse();
        assertThat(same.tryRelease(id)).isFalse();
    }

    // --- the limit ---

    @Test
    void raisingTheLimitAdmitsThoseWhoWait() throws Exception {
        List<String> held = slots.acquire(3);
        Future<List<String>> waiting = ground.elsewhere(() -> same.acquire(2));
        awaitWaiters(other, 1);
        same.addPermits(1);
        assertThat(waiting.isDone()).isFalse();
        same.addPermits(1);
        same.release(ground.get(waiting));
        slots.release(held);
        assertThat(slots.getPermits()).isEqualTo(5);
    }

    @Test
    void loweringTheLimitTakesNothingAway() throws Exception {
        List<String> held = slots.acquire(3);
        same.setPermits(1);
        assertThat(slots.acquiredPermits()).isEqualTo(3);
        slots.release(held.subList(0, 2));
        assertThat(slots.availablePermits()).as("one of one is taken").isZero();
        slots.release(held.get(2));
        assertThat(slots.availablePermits()).isEqualTo(1);
        assertThat(slots.trySetPermits(7)).isFalse();
    }

    // --- permits of the client ---

    @Test
    void anyThreadOfTheClientReleases() throws Exception {
        RSemaphore semaphore = client.getSemaphore(NAME);
        semaphore.acquire(2);
        ground.get(ground.elsewhere(() -> {
            semaphore.release();
            return true;
        }));
        assertThat(other.getSemaphore(NAME).drainPermits()).isEqualTo(2);
        assertThat(semaphore.tryAcquire(Duration.ofMillis(30))).isFalse();
        assertThatThrownBy(() -> semaphore.release(2)).isInstanceOf(IllegalStateException.class);
        semaphore.release();
        other.getSemaphore(NAME).release(2);
        assertThat(semaphore.availablePermits()).isEqualTo(3);
    }

    // --- going ---

    @Test
    void aCancelledCallLeavesNothing() throws Exception {
        List<String> all = same.acquire(3);
        RFuture<List<String>> two = slots.acquireAsync(2);
        awaitWaiters(client, 1);
        Future<String> one = ground.elsewhere(() -> slots.acquire());
        awaitWaiters(client, 2);
        two.cancel(true);
        same.release(all.get(0));
        slots.release(ground.get(one));
        same.release(all.subList(1, 3));
    }

    @Test
    void aClosedClientGivesThemBackAndEndsItsWaits() throws Exception {
        same.acquire(2);
        RFuture<List<String>> waiting = same.acquireAsync(2);
        awaitWaiters(other, 1);
        other.close();
        assertThatThrownBy(() -> ground.get(waiting.toCompletableFuture()))
                .isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(same::acquire).isInstanceOf(LockClientClosedException.class);
        ground.eventually(() -> assertThat(slots.availablePermits()).isEqualTo(3));
    }

    private void awaitWaiters(LockClient of, int number) {
        ground.eventually(() -> assertThat(of.waiters()).hasSize(number));
        ground.eventually(() ->
                assertThat(ground.nodes().get(0).channels()).as("channels").isPositive());
    }
}
