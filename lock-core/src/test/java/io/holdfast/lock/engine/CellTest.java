package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.call.Unwanted;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.LeaseTerm;
import io.holdfast.lock.engine.hold.LockCell;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.hold.UntoldLosses;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.Owner;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The state of a lock: when it comes and goes, and who runs its steps. */
class CellTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Engine engine = new Engine(List.of(backend), true, ClientOptions.defaults(), null, "c");
    private final LockKeys names = LockKeys.of("stock", LockOptions.defaults());
    private final EngineLock lock = new EngineLock(engine, new Terms(Reentrant.KIND, LockOptions.defaults()), names);

    @Test
    void aCellWithNothingToRememberRestsUntilItIsWantedAgain() {
        lock.tryLockAsync(1);
        LockCell cell = engine.cells().cell(names);
        backend.next("acquire").granted(7);
        lock.unlockAsync(1);
        backend.next("release").done();

        assertThat(cell.isRetired()).isFalse();
        assertThat(engine.cells().cell(names)).isSameAs(cell);
    }

    @Test
    void aCellCountsTokensFromTheFirstFencedLockOn() {
        LockOptions redisson =
                LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        LockCell cell = engine.cells().cell(LockKeys.of("shared", redisson));
        assertThat(cell.keys.layout.countsTokens()).isFalse();

        assertThat(engine.cells().cell(KeyLayout.ofFenced(redisson).keys("shared")))
                .isSameAs(cell);
        assertThat(engine.cells().cell(LockKeys.of("shared", redisson))).isSameAs(cell);

        assertThat(cell.keys.layout.countsTokens()).isTrue();
    }

    @Test
    void aFencedCallThatMeetsARetiredCellCountsInTheNextOne() {
        LockOptions redisson =
                LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        LockCell retired = engine.cells().cell(LockKeys.of("shared", redisson));
        retired.retireIfIdle();

        retired.wantedAs(KeyLayout.ofFenced(redisson).keys("shared"));

        assertThat(engine.cells().cell(retired.keys).keys.layout.countsTokens()).isTrue();
    }

    @Tag("proof")
    @Test
    void manyLocksThatAreUsedOnceLeaveABoundedNumberOfCells() {
        for (int i = 0; i < 10 * Cells.PLACES; i++) {
            RLock once = new EngineLock(
                    engine,
                    new Terms(Reentrant.KIND, LockOptions.defaults()),
                    LockKeys.of("once" + i, LockOptions.defaults()));
            once.tryLockAsync(1);
            backend.next("acquire").granted(7);
            once.unlockAsync(1);
            backend.next("release").done();
        }

        assertThat(engine.cells().all()).hasSizeBetween(Cells.PLACES / 2, Cells.PLACES);
    }

    @Test
    void aCellThatIsInUseKeepsItsStateWhenAnotherTakesItsPlace() {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        lock.tryLockAsync(2);
        backend.next("acquire").refused(1_000);

        LockCell held = engine.cells().cell(names);
        held.retireIfIdle();

        assertThat(engine.cells().cell(names)).isSameAs(held);
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    @Test
    void aForcedReleaseLeavesNothingToRemember() {
        lock.forceUnlockAsync();
        backend.next("force").fault(Fault.Kind.NOPERM, false);
        engine.cells().cell(names).retireIfIdle();
        assertThat(engine.cells().ifPresent(names)).isNull();

        lock.forceUnlockAsync();
        backend.next("force").done();
        engine.cells().cell(names).retireIfIdle();
        assertThat(engine.cells().ifPresent(names)).isNull();
    }

    @Test
    void aForcedReleaseThatFindsItsCellRetiredGoesToTheNextOne() {
        LockCell before = engine.cells().cell(names);
        before.run(() -> {
            lock.forceUnlockAsync();
            before.retireIfIdle();
        });
        lock.tryLockAsync(1);
        List<ScriptedBackend.Sent> both = backend.open();
        both.get(1).granted(7);
        both.get(0).done();

        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void aHoldWhoseOwnerWasToldOfItsLossIsNotKept() {
        loseHold(1);
        assertThat(engine.untold()).isEqualTo(1);

        lock.unlockAsync(1);

        assertThat(engine.untold()).isZero();
    }

    @Test
    void ofAnOwnersLossesTheLatestIsKept() {
        loseHold(1);
        loseHold(1);
        loseHold(2);

        assertThat(engine.untold()).isEqualTo(2);
    }

    @Test
    void aClosedClientKeepsNoLosses() {
        loseHold(1);

        engine.close();

        assertThat(engine.untold()).isZero();
    }

    @Tag("proof")
    @Test
    void ofManyUntoldLossesTheOldestAreForgotten() {
        for (int owner = 0; owner <= UntoldLosses.MOST; owner++) {
            loseHold(owner);
        }

        assertThat(engine.untold()).isEqualTo(UntoldLosses.MOST);
        ScriptedBackend.assertFailed(lock.unlockAsync(0).toCompletableFuture(), LockNotHeldException.class);
        ScriptedBackend.assertFailed(lock.unlockAsync(1).toCompletableFuture(), LockLostException.class);
    }

    @Test
    void aCallerThatHasGivenUpNeverSeesItsHold() {
        Unwanted<Optional<Hold>> result = new Unwanted<>();
        engine.operations().calls().acquire(ticket(result));
        List<Boolean> held = new ArrayList<>();
        result.abandon();
        backend.runtime.atTheClock(() -> held.add(lock.isHeldByThread(1)));
        backend.next("acquire").granted(7);
        backend.next("release").done();

        assertThat(held).isNotEmpty().doesNotContain(true);
    }

    @Test
    void aCallerThatIsWokenSeesItsHold() {
        List<Boolean> held = new ArrayList<>();
        engine.operations().calls().acquire(ticket(new Pending<>() {
            @Override
            public void onSettled() {
                held.add(lock.isHeldByThread(1));
            }
        }));
        backend.next("acquire").granted(7);

        assertThat(held).containsExactly(true);
    }

    private void loseHold(long thread) {
        lock.tryLockAsync(thread);
        backend.next("acquire").granted(7);
        lock.forceUnlockAsync();
        backend.next("force").done();
        backend.next("release").gone();
        backend.sent.clear();
    }

    private Ticket ticket(Pending<Optional<Hold>> result) {
        LockOptions options = LockOptions.defaults();
        return new Ticket(
                names,
                new Terms(Reentrant.KIND, options),
                Owner.thread(1),
                LeaseTerm.unnamed(options),
                0,
                null,
                0,
                result);
    }

    /** Each cell of a closed client retires with its first step: a call that went on to the next could do so for ever. */
    @Test
    void aCallThatComesToAClosedClientGoesToNoOtherCell() {
        engine.close();
        List<Long> arrivals = new ArrayList<>();
        LockCell cell = engine.cells().cell(names);
        cell.run(() -> {
            for (int i = 0; i < 2; i++) {
                engine.operations().calls().acquire(ticket(new Pending<>() {
                    @Override
                    public void onSettled() {
                        arrivals.add(StackWalker.getInstance().walk(frames -> frames.filter(
                                        frame -> frame.getMethodName().equals("arrived"))
                                .count()));
                    }
                }));
            }
        });
        assertThat(cell.isRetired()).isTrue();
        assertThat(arrivals).containsExactly(1L, 1L);
    }

    @Test
    void aClosedClientKeepsNoCell() {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
        engine.close();
        backend.next("release").done();

        assertThat(engine.cells().all()).isEmpty();
    }

    @Test
    void aBusyCallbackExecutorDoesNotStopTheSteps() {
        List<Runnable> parked = new ArrayList<>();
        backend.runtime.callbacks(parked::add);
        lock.tryLockAsync(1);
        LockCell cell = engine.cells().cell(names);
        List<Integer> ran = new ArrayList<>();
        cell.run(() -> {
            for (int i = 0; i < 200; i++) {
                int number = i;
                cell.run(() -> ran.add(number));
            }
        });
        assertThat(ran).hasSize(200);
    }
}
