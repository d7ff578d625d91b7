package io.holdfast.lock.tests.permits;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permits that are given back by their ids, or by a handle (rule 55). */
class PermitsTest extends PermitTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @BeforeEach
    void setLimit() {
        slots(client).setPermits(3);
    }

    @Test
    void noMoreAreTakenThanTheLimitSays() throws Exception {
        String first = slots(client).acquire();
        List<String> two = slots(other).acquire(2);
        assertThat(taken()).containsExactlyInAnyOrder(first, two.get(0), two.get(1));
        assertThat(slots(client).tryAcquire()).isNull();
        assertThat(slots(client).tryAcquire(50, MILLISECONDS)).isNull();
        assertThat(slots(client).tryAcquire(2)).isEmpty();
        assertThat(slots(client).availablePermits()).isZero();
        assertThat(slots(client).acquiredPermits()).isEqualTo(3);
        slots(other).release(two.get(1));
        assertThat(slots(client).availablePermits()).isEqualTo(1);
        String next = slots(client).tryAcquire();
        assertThat(next).isNotNull().isNotIn(first, two.get(1));
        slots(client).release(List.of(first, next));
        slots(other).release(two.get(0));
        assertThat(waiting()).isEmpty();
    }

    @Test
    void severalAreTakenTogetherOrNotAtAll() throws Exception {
        String one = slots(other).acquire();
        RFuture<List<String>> three = queued(() -> slots(client).acquireAsync(3));
        assertThat(taken()).containsExactly(one);
        slots(other).release(one);
        assertThat(get(three)).hasSize(3).doesNotHaveDuplicates();
        assertThat(taken()).containsExactlyInAnyOrderElementsOf(get(three));
        for (String permit : get(three)) {
            slots(client).release(permit);
        }
    }

    @Test
    void eachHasATokenALeaseAndALossOfItsOwn() throws Exception {
        List<LockHold> holds = slots(client).tryAcquireHolds(3, Duration.ZERO, LEASE);
        assertThat(holds).extracting(LockHold::state).containsOnly(HoldState.HELD);
        long first = holds.get(0).fencingToken();
        assertThat(holds).extracting(LockHold::fencingToken).containsExactly(first, first + 1, first + 2);
        assertThat(client.holds()).hasSize(3).allSatisfy(held -> assertThat(held.kind())
                .isEqualTo(HoldKind.PERMIT));
        holds.get(1).close();
        assertThat(taken()).hasSize(2);
        raw.command("ZREM", PERMITS, taken().get(0));
        holds.get(0).onLost(loss -> {});
        assertThatThrownBy(() -> holds.get(0).extend(LEASE.plusSeconds(1)))
                .hasMessageContaining(LossReason.KEY_GONE.name());
        assertThat(holds.get(2).state()).isEqualTo(HoldState.HELD);
        holds.get(2).extend(LEASE.plusSeconds(1));
        holds.get(2).close();
        assertThat(slots(other).tryAcquireHold(Duration.ZERO).orElseThrow()).satisfies(later -> {
            assertThat(later.fencingToken()).isGreaterThan(first + 2);
            later.close();
        });
    }

    /** Redisson would have one permit more than the limit from then on. */
    @Test
    void aLateReleaseTakesNothingFromTheNext() throws Exception {
        slots(client).setPermits(1);
        String late = slots(client).acquire(100, MILLISECONDS);
        String next = slots(other).tryAcquire(5, SECONDS);
        assertThat(next).isNotNull();
        assertThat(slots(client).tryRelease(late)).isFalse();
        assertThatThrownBy(() -> slots(client).release(late))
                .isInstanceOf(LockNotHeldException.class)
                .hasMessageContainingAll("semaphore '" + NAME + "'", late, "is not taken");
        assertThat(taken()).containsExactly(next);
        assertThat(slots(client).tryAcquire()).isNull();
        slots(other).release(next);
        assertThat(slots(client).availablePermits()).isEqualTo(1);
    }

    @Test
    void anotherClientReleasesAPermitByItsId() throws Exception {
        LockHold hold = slots(client).tryAcquireHold(Duration.ZERO, LEASE).orElseThrow();
        String id = taken().get(0);
        assertThat(slots(other).updateLeaseTime(id, 60, SECONDS)).isTrue();
        assertThat(Long.parseLong(raw.text("ZSCORE", PERMITS, id))).isGreaterThan(System.currentTimeMillis() + 50_000);
        assertThat(slots(other).updateLeaseTime(id, 1, SECONDS))
                .as("never shortened")
                .isTrue();
        assertThat(Long.parseLong(raw.text("ZSCORE", PERMITS, id))).isGreaterThan(System.currentTimeMillis() + 50_000);
        slots(other).release(id);
        assertThat(taken()).isEmpty();
        assertThat(slots(other).updateLeaseTime(id, 1, SECONDS)).isFalse();
        assertThatThrownBy(() -> hold.extend(LEASE)).hasMessageContaining("was lost");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
    }

    @Test
    void itsOwnClientMakesItLastLonger() throws Exception {
        LockHold hold = slots(client)
                .tryAcquireHold(Duration.ZERO, Duration.ofSeconds(5))
                .orElseThrow();
        String id = taken().get(0);
        assertThat(slots(client).updateLeaseTime(id, 60, SECONDS)).isTrue();
        assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(50));
        slots(client).release(id);
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(slots(client).tryRelease(id)).isFalse();
    }

    /** What was reserved for them is taken together again, or not at all. */
    @Test
    void aCancelledCallLeavesNothing() throws Exception {
        List<String> all = slots(other).acquire(3);
        RFuture<List<String>> two = queued(() -> slots(client).acquireAsync(2));
        RFuture<String> one = queued(() -> slots(client).acquireAsync());
        two.cancel(true);
        awaitWaiting(1);
        slots(other).release(all.get(0));
        String given = get(one);
        assertThat(taken()).containsExactlyInAnyOrder(all.get(1), all.get(2), given);
        slots(client).release(given);
        slots(other).release(all.subList(1, 3));
    }

    @Test
    void aCloseGivesThemBack() throws Exception {
        slots(other).acquire(2);
        other.close();
        eventually(() -> assertThat(taken()).isEmpty());
        assertThat(slots(client).availablePermits()).isEqualTo(3);
    }
}
