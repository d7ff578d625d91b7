package io.holdfast.lock.tests.multi;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each method of a lock means for several of them: as good as the worst member. */
class MultiLockTest extends ServerTest {

    private static final long OWNER = 77;

    private LockClient client;
    private RLock a;
    private RLock b;
    private RLock c;
    private RLock all;

    @BeforeEach
    void connectClient() {
        client = connect();
        a = client.getLock("a");
        b = client.getLock("b");
        c = client.getLock("c");
        all = MultiLock.of(c, a, b);
    }

    @Test
    void itHoldsEveryMemberOrNone() {
        assertThat(all.tryLock()).isTrue();
        assertThat(List.of(a, b, c)).allMatch(RLock::isHeldByCurrentThread);
        assertThat(lockKeys()).hasSize(3);

        all.unlock();

        assertThat(List.of(a, b, c)).noneMatch(RLock::isLocked);
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void aMemberThatIsHeldByAnotherRefusesAll() throws Exception {
        try (LockHold held = b.acquire()) {
            assertThat(all.tryLock()).isFalse();
            assertThat(all.tryLock(100, MILLISECONDS)).isFalse();
            assertThat(all.isHeldByCurrentThread()).isFalse();
            eventually(() -> assertThat(lockKeys()).containsExactly("holdfast:{b}"));
            assertThat(held.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void itsMembersAreOrdinaryHoldsThatCanBeEnteredAgain() {
        all.lock();
        a.lock();

        assertThat(a.getHoldCount()).isEqualTo(2);
        assertThat(all.getHoldCount()).as("the smallest").isEqualTo(1);

        a.unlock();
        all.unlock();
    }

    @Test
    void itIsReentrant() {
        all.lock();
        all.lock();
        assertThat(all.getHoldCount()).isEqualTo(2);
        all.unlock();
        assertThat(all.isHeldByCurrentThread()).isTrue();
        assertThat(lockKeys()).hasSize(3);
        all.unlock();
        assertThat(all.getHoldCount()).isZero();
    }

    @Test
    void itGoesByTheNamesOfItsMembers() {
        assertThat(all.getName()).isEqualTo("c+a+b");
    }

    @Test
    void itIsLockedWhenEveryMemberIs() throws Exception {
        try (LockHold one = a.acquire()) {
            assertThat(all.isLocked()).as(one + " alone").isFalse();
            assertThat(get(all.isLockedAsync())).isFalse();
        }
        try (LockHold every = all.acquire()) {
            assertThat(all.isLocked()).as(every.toString()).isTrue();
            assertThat(get(all.isLockedAsync())).isTrue();
        }
    }

    @Test
    void itsTimeToLiveIsTheShortest() throws Exception {
        assertThat(all.remainTimeToLive()).isEqualTo(-2);
        all.lock(20, SECONDS);
        b.lock(40, SECONDS);
        assertThat(all.remainTimeToLive()).isBetween(19_000L, 20_000L);
        assertThat(get(all.remainTimeToLiveAsync())).isBetween(19_000L, 20_000L);
        b.unlock();
        all.unlock();
    }

    @Test
    void itsTokenIsTheHighestAndIncreases() throws Exception {
        all.lock();
        long first = all.getFencingToken();
        assertThat(first).isEqualTo(Math.max(a.getFencingToken(), Math.max(b.getFencingToken(), c.getFencingToken())));
        all.unlock();
        assertThatThrownBy(all::getFencingToken).isInstanceOf(LockNotHeldException.class);
        try (LockHold hold = all.acquire()) {
            assertThat(hold.fencingToken()).isGreaterThan(first);
        }
    }

    @Test
    void unlockingItWhenItIsNotHeldChangesNothing() {
        a.lock();
        b.lock();
        assertThatThrownBy(all::unlock).isInstanceOf(LockNotHeldException.class).hasMessageContaining("lock 'c'");
        assertThat(a.isHeldByCurrentThread()).isTrue();
        assertThat(b.isHeldByCurrentThread()).isTrue();
        a.unlock();
        b.unlock();
    }

    @Test
    void aMemberUnlockedByHandIsToldAndTheRestReleased() {
        b.lock();
        all.lock();
        a.unlock();
        assertThatThrownBy(all::unlock).isInstanceOf(LockNotHeldException.class).hasMessageContaining("lock 'a'");
        assertThat(lockKeys()).as("the caller's own").containsExactly("holdfast:{b}");
        assertThat(b.getHoldCount()).isEqualTo(1);
        b.unlock();
    }

    @Test
    void forceFreesEveryMemberWhoeverHoldsIt() throws Exception {
        LockHold foreign = connect().getLock("b").acquire();
        all.forceUnlock();
        assertThat(lockKeys()).isEmpty();
        assertThat(all.forceUnlock()).isFalse();
        assertThatThrownBy(foreign::close).isInstanceOf(LockLostException.class);
    }

    @Test
    void withAnExplicitLeaseItIsNotRenewed() {
        all.lock(300, MILLISECONDS);
        assertThat(all.remainTimeToLive()).isBetween(1L, 300L);
        eventually(() -> assertThat(lockKeys()).isEmpty());
        assertThat(all.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(all::unlock).isInstanceOf(LockLostException.class);
    }

    @Test
    void withoutALeaseEveryMemberIsRenewed() {
        LockOptions watched =
                LockOptions.builder().watchdogLease(Duration.ofMillis(1_000)).build();
        RLock both = MultiLock.of(client.getLock("a", watched), client.getLock("b", watched));
        both.lock();
        long start = System.nanoTime();
        eventually(() -> assertThat(System.nanoTime() - start).isGreaterThan(MILLISECONDS.toNanos(1_500)));
        assertThat(both.isHeldByCurrentThread()).isTrue();
        assertThat(both.remainTimeToLive()).isPositive();
        both.unlock();
    }

    @Test
    void closingThrowsNoLossOfMembersThatACallbackHasHeardOf() throws Exception {
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        try (LockHold hold = all.acquire()) {
            hold.onLost(told::complete);
            b.forceUnlock();
            get(told);
        }
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void whenAMemberIsLostSoIsTheWhole() throws Exception {
        LockHold hold = all.acquire();
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        hold.onLost(told::complete);
        b.forceUnlock();

        assertThat(get(told).name()).isEqualTo("b");
        assertThat(get(hold.lost().toCompletableFuture()).name()).isEqualTo("b");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(hold.validFor()).isZero();
        assertThatThrownBy(hold::fencingToken).isInstanceOf(LockLostException.class);

        assertThatThrownBy(hold::release).isInstanceOf(LockLostException.class).hasMessageContaining("lock 'b'");
        assertThat(lockKeys()).as("the others were released all the same").isEmpty();
        hold.close();
    }

    @Test
    void unlockTellsOfALostMemberAfterReleasingTheOthers() {
        all.lock();
        b.forceUnlock();
        assertThat(all.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(all::unlock).isInstanceOf(LockLostException.class).hasMessageContaining("lock 'b'");
        assertThat(lockKeys()).isEmpty();
    }

    @Test
    void aHandleBelongsToNoThreadAndCanBeExtended() throws Exception {
        LockHold hold =
                all.tryAcquire(Duration.ofSeconds(1), Duration.ofSeconds(5)).orElseThrow();
        assertThat(hold.name()).isEqualTo("c+a+b");
        assertThat(all.isHeldByCurrentThread()).isFalse();
        assertThat(all.tryAcquire(Duration.ZERO)).as("it is no re-entry").isEmpty();
        assertThat(hold.validFor()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));

        hold.extend(Duration.ofSeconds(60));
        assertThat(hold.validFor()).isGreaterThan(Duration.ofSeconds(58));
        get(hold.extendAsync(Duration.ofSeconds(90)));
        hold.ensure(Duration.ofSeconds(100));
        assertThat(hold.validFor()).isGreaterThanOrEqualTo(Duration.ofSeconds(100));

        get(hold.releaseAsync());
        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        hold.close();
    }

    @Test
    void itsAsynchronousFormsDoTheSame() {
        get(all.lockAsync(OWNER));
        assertThat(get(all.tryLockAsync(OWNER))).isTrue();
        assertThat(get(all.tryLockAsync(0, 5, SECONDS, OWNER + 1))).isFalse();
        assertThat(get(all.getHoldCountAsync(OWNER))).isEqualTo(2);
        assertThat(get(all.isHeldByThreadAsync(OWNER))).isTrue();
        assertThat(all.isHeldByThread(OWNER + 1)).isFalse();
        get(all.unlockAsync(OWNER));
        get(all.unlockAsync(OWNER));
        assertThatThrownBy(() -> get(all.unlockAsync(OWNER))).isInstanceOf(LockNotHeldException.class);
        assertThat(get(all.forceUnlockAsync())).isFalse();
        LockHold hold = get(all.withLease(Duration.ofSeconds(5)).acquireAsync());
        assertThat(get(all.tryAcquireAsync(Duration.ZERO))).isEmpty();
        get(hold.releaseAsync());
    }

    @Test
    void itHasNoConditions() {
        assertThatThrownBy(all::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
}
