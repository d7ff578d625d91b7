package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.multi.MultiLocks;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the owner sees of a MultiLock's members, how long they last, and which of their levels are given back. */
class MultiHoldsTest {

    private static final long OWNER = 1;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock a = client.getLock("a");
    private final RLock b = client.getLock("b");
    private final RLock both = MultiLocks.of(List.of(a, b));

    // --- what the owner sees ---

    @Test
    void noMemberIsSeenUntilAllAreTaken() {
        CompletableFuture<Void> call = both.lockAsync(OWNER).toCompletableFuture();
        grant();
        assertThat(a.isHeldByThread(OWNER)).isFalse();
        grant();
        assertThat(call).isCompleted();
        assertThat(List.of(a, b, both)).allMatch(lock -> lock.isHeldByThread(OWNER));
    }

    /** The caller gives up at each moment at which the engine looks at the clock. */
    @Test
    void noMemberIsSeenByACallerThatHasGivenUp() {
        List<RLock> seen = new ArrayList<>();
        for (int look = 1; look <= 20; look++) {
            CompletableFuture<Void> call = both.lockAsync(OWNER).toCompletableFuture();
            AtomicInteger looks = new AtomicInteger(look);
            backend.runtime.atTheClock(() -> {
                if (looks.decrementAndGet() == 0 && call.cancel(false)) {
                    seen.addAll(heldByOwner());
                }
            });
            backend.next("acquire").granted(7);
            backend.open().stream()
                    .filter(sent -> sent.script().equals("acquire"))
                    .forEach(sent -> sent.granted(7));
            backend.runtime.atTheClock(() -> {});
            if (!call.isCancelled()) {
                both.unlockAsync(OWNER);
            }
            assertThat(heldByOwner()).isEmpty();
            while (!backend.open().isEmpty()) {
                backend.next("release").done();
            }
        }
        assertThat(seen).isEmpty();
    }

    private List<RLock> heldByOwner() {
        return Stream.of(a, b, both).filter(lock -> lock.isHeldByThread(OWNER)).toList();
    }

    @Test
    void aMemberThatIsBeingCollectedCannotBeUnlocked() {
        both.lockAsync(OWNER);
        grant();
        assertFailed(a.unlockAsync(OWNER).toCompletableFuture(), LockNotHeldException.class);
        assertThat(backend.releasedFields()).isEmpty();
    }

    @Test
    void aMemberThatItsOwnerEntersMeanwhileIsSeen() {
        both.lockAsync(OWNER);
        grant();
        Sent second = backend.next("acquire");
        a.lockAsync(OWNER);
        open("reenter").done();
        assertThat(a.isHeldByThread(OWNER)).isTrue();
        second.refused(5_000);
        assertThat(both.isHeldByThread(OWNER)).isFalse();
    }

    // --- which levels are given back ---

    @Test
    void aMemberUnlockedByHandKeepsNoOtherFromItsRelease() {
        lockBoth();
        unlock(a);

        CompletableFuture<Void> release = both.unlockAsync(OWNER).toCompletableFuture();
        backend.next("release").done();

        assertFailed(release, LockNotHeldException.class);
        assertThat(b.isHeldByThread(OWNER)).isFalse();
        backend.assertNothingOpen();
    }

    @Test
    void levelsThatTheOwnerTookOnAMemberStay() {
        b.lockAsync(OWNER);
        grant();
        both.lockAsync(OWNER);
        grant();
        backend.next("reenter").done();
        unlock(a);
        a.lockAsync(OWNER);
        grant();

        CompletableFuture<Void> release = both.unlockAsync(OWNER).toCompletableFuture();
        backend.next("release").done();

        assertFailed(release, LockNotHeldException.class);
        assertThatThrownBy(release::join).hasMessageContaining("held by thread 1, but not by this MultiLock");
        assertThat(List.of(a, b)).allMatch(lock -> lock.isHeldByThread(OWNER));
        assertThat(hold(b).count()).isEqualTo(1);
    }

    @Test
    void theOwnersOwnLevelsAreNotReleasedThroughAMultiLock() {
        a.lockAsync(OWNER);
        grant();
        b.lockAsync(OWNER);
        grant();
        assertFailed(both.unlockAsync(OWNER).toCompletableFuture(), LockNotHeldException.class);
        backend.assertNothingOpen();
    }

    @Test
    void aLevelThatIsRenewedStaysSoWhenTheMultiLockIsUnlocked() {
        both.lockAsync(5_000, MILLISECONDS, OWNER);
        grant();
        grant();
        b.lockAsync(OWNER);
        backend.next("reenter").done();
        both.unlockAsync(OWNER);
        while (!backend.open().isEmpty()) {
            backend.next("release").done();
        }
        assertThat(hold(b).isWatched()).isTrue();
        assertThat(a.isHeldByThread(OWNER)).isFalse();
    }

    @Test
    void anotherMultiLockOfTheSameMembersGivesBackTheSameLevels() {
        lockBoth();
        CompletableFuture<Void> release =
                MultiLocks.of(List.of(b, a)).unlockAsync(OWNER).toCompletableFuture();
        backend.next("release").done();
        backend.next("release").done();
        assertThat(release).isCompleted();
    }

    // --- how long they last ---

    @Test
    void aShortLeaseIsLongEnoughToBeRenewedWhileOthersAreAwaited() {
        CompletableFuture<Boolean> call =
                both.tryLockAsync(10_000, 20, MILLISECONDS, OWNER).toCompletableFuture();
        Sent first = grant();
        backend.next("acquire").refused(5_000);
        for (int i = 0; i < 20; i++) {
            backend.runtime.advanceMillis(34);
            backend.open().stream()
                    .filter(sent -> sent.script().equals("renew"))
                    .forEach(Sent::done);
        }
        assertThat(backend.grantedFields()).containsExactly(first.field());
        assertThat(backend.releasedFields()).isEmpty();
        assertThat(call).isNotDone();
    }

    @Test
    void everyMemberKeepsItsMaxHoldWithAFixedLease() {
        LockOptions bounded = LockOptions.builder()
                .watchdogLease(Duration.ofSeconds(2))
                .maxHold(Duration.ofSeconds(6))
                .build();
        RLock all = MultiLocks.of(List.of(a, client.getLock("b", bounded)));
        assertThatThrownBy(() -> all.lockAsync(7, TimeUnit.SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most maxHold, 6 s");
        CompletableFuture<LockHold> call =
                all.withLease(Duration.ofSeconds(5)).acquireAsync().toCompletableFuture();
        grant();
        grant();
        assertThatThrownBy(() -> call.join().extendAsync(Duration.ofSeconds(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would exceed maxHold");
    }

    /** The members are asked from the last to the first, and the first refuses the lease. */
    @Test
    void noMemberIsExtendedByALeaseThatIsTooLongForAnother() {
        LockOptions bounded =
                LockOptions.builder().maxHold(Duration.ofSeconds(60)).build();
        RLock all = MultiLocks.of(List.of(client.getLock("a", bounded), b));
        CompletableFuture<LockHold> call =
                all.withLease(Duration.ofSeconds(5)).acquireAsync().toCompletableFuture();
        grant();
        grant();
        assertThatThrownBy(() -> call.join().extendAsync(Duration.ofSeconds(70)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would exceed maxHold");
        backend.assertNothingOpen();
    }

    @Test
    void whereOneMemberIsNotExtendedItIsSaidWhichAre() {
        CompletableFuture<LockHold> call =
                both.withLease(Duration.ofSeconds(5)).acquireAsync().toCompletableFuture();
        grant();
        grant();
        CompletableFuture<Void> extension =
                call.join().extendAsync(Duration.ofSeconds(20)).toCompletableFuture();
        backend.open().forEach(sent -> {
            if (sent.keys.get(0).contains("{a}")) {
                sent.fault(Fault.Kind.OOM, false);
            } else {
                sent.done();
            }
        });
        assertFailed(extension, LockServerException.class);
        assertThatThrownBy(extension::join)
                .cause()
                .hasMessageContaining("lock 'a'")
                .hasMessageContaining("OOM")
                .hasMessageEndingWith("; extended: 'b'");
    }

    @Test
    void everyMemberHasItsOwnWatchdogLease() {
        LockOptions quick =
                LockOptions.builder().watchdogLease(Duration.ofSeconds(1)).build();
        MultiLocks.of(List.of(a, client.getLock("b", quick))).lockAsync(OWNER);
        assertThat(grant().args.get(1)).isEqualTo("30000");
        assertThat(grant().args.get(1)).isEqualTo("1000");
    }

    private void lockBoth() {
        both.lockAsync(OWNER);
        grant();
        grant();
    }

    private void unlock(RLock lock) {
        lock.unlockAsync(OWNER);
        backend.next("release").done();
    }

    private Hold hold(RLock lock) {
        EngineLock known = (EngineLock) lock;
        return known.site.cells().cell(known.keys).holds().get(0);
    }

    private Sent open(String script) {
        return backend.open().stream()
                .filter(sent -> sent.script().equals(script))
                .findFirst()
                .orElseThrow();
    }

    private Sent grant() {
        Sent asked = backend.next("acquire");
        asked.granted(7);
        return asked;
    }
}
