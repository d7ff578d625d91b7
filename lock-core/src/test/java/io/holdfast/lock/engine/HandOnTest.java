package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.step.Outcome.Others;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Handing a lock on among calls of one client without asking the server (rules 100 to 113). */
class HandOnTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");

    // --- the hand-over ---

    @Test
    void whatWasGrantedOnceIsHandedOnWithoutARequest() {
        Sent transfer = turn(2, 3, 4);

        CompletableFuture<Void> second = unlock(2);
        CompletableFuture<Void> third = unlock(3);

        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        assertThat(lock.isHeldByThread(2)).isFalse();
        assertThat(lock.isHeldByThread(4)).isTrue();
        backend.assertNothingOpen();
        unlock(4);
        assertThat(backend.next("release").field()).isEqualTo(transfer.args.get(1));
    }

    @Test
    void theFirstHandOverOfATurnPutsTokensBy() {
        hold();
        waiter(2);
        unlock(1);

        assertThat(backend.next("transfer").args).endsWith("30000", "1", "256");
    }

    @Test
    void eachHoldHasTheNextToken() {
        hold();
        List<CompletableFuture<Optional<LockHold>>> holds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            holds.add(lock.tryAcquireAsync(Duration.ofSeconds(60)).toCompletableFuture());
        }
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);

        assertThat(holdOf(holds.get(0)).fencingToken()).isEqualTo(100);
        holdOf(holds.get(0)).releaseAsync();
        assertThat(holdOf(holds.get(1)).fencingToken()).isEqualTo(101);
        holdOf(holds.get(1)).releaseAsync();
        assertThat(holdOf(holds.get(2)).fencingToken()).isEqualTo(102);
        assertThat(holdOf(holds.get(0)).state()).isEqualTo(HoldState.RELEASED);
        assertThat(holdOf(holds.get(2)).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void whenTheTokensAreUsedUpTheServerIsAskedForMore() {
        turnOf(2, 2, 3, 4);
        unlock(2);
        unlock(3);

        assertThat(backend.next("transfer").args).endsWith("30000", "1", "16");
    }

    @Test
    void aThousandHandOversAskTheServerThreeTimes() {
        hold();
        waiter(2);
        long token = 100;
        for (int thread = 1; thread <= 1_000; thread++) {
            waiter(thread + 2);
            unlock(thread);
            for (Sent transfer : backend.open()) {
                int tokens = Integer.parseInt(transfer.args.get(4));
                transfer.handedOver(token, tokens, Others.NONE);
                token += tokens;
            }
            assertThat(lock.isHeldByThread(thread + 1)).isTrue();
        }

        assertThat(backend.sent)
                .extracting(Sent::script)
                .containsExactly("acquire", "transfer", "transfer", "transfer");
    }

    @Test
    void whoLooksWhileItChangesHandsIsTold() {
        hold();
        String field = backend.sent.get(0).field();
        waiter(2);
        unlock(1);
        assertThat(seen(field).mayHaveHandedOn()).isTrue();

        backend.next("transfer").handedOver(100, 256, Others.NONE);
        assertThat(seen(backend.sent.get(1).args.get(1)).mayHaveHandedOn()).isFalse();
    }

    private LockInfo.Holder seen(String field) {
        CompletableFuture<LockInfo> looking = client.inspectAsync("stock").toCompletableFuture();
        Sent inspect = backend.sent.get(backend.sent.size() - 1);
        inspect.reply(30_000L, 1L, field, 1L, "token", 100L);
        return now(looking).holders().get(0);
    }

    @Test
    void aReleaseWithNoWaiterLeavesNothingBehind() {
        turn(2, 3);
        unlock(2);
        unlock(3);

        backend.next("release").done();

        backend.assertNothingOpen();
        waiter(4);
        assertThat(backend.next("acquire").field()).startsWith("c:4:");
    }

    @Test
    void aReentryAndItsReleaseAreAskedForUnderTheSharedField() {
        Sent transfer = turn(2, 3);
        unlock(2);
        lock.tryLockAsync(3);

        Sent reentry = backend.next("reenter");
        assertThat(reentry.field()).isEqualTo(transfer.args.get(1));
        reentry.done();
        unlock(3);
        assertThat(backend.next("release").args.get(1)).isEqualTo("1");
    }

    @Test
    void aWaiterThatGaveUpIsPassedOver() {
        hold();
        waiter(2);
        CompletableFuture<Boolean> third = waiter(3);
        CompletableFuture<Boolean> fourth = waiter(4);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);
        third.cancel(false);

        unlock(2);

        assertThat(fourth).isCompletedWithValue(true);
        backend.assertNothingOpen();
    }

    // --- what it rests on ---

    @Test
    void fiftyMillisecondsAfterItsRequestTheServerIsAsked() {
        turn(2, 3, 4);
        backend.runtime.jumpMillis(49);
        unlock(2);
        backend.assertNothingOpen();

        backend.runtime.jumpMillis(1);
        unlock(3);

        backend.next("transfer");
    }

    @Test
    void nothingIsHandedOnOnceAConnectionHasGone() {
        turn(2, 3);
        backend.lost();
        backend.reconnected();
        backend.next("renew").done();

        unlock(2);

        backend.next("transfer");
    }

    @Test
    void nothingIsHandedOnWhileARenewalIsUnanswered() {
        turn(2, 3);
        backend.lost();
        backend.reconnected();

        unlock(2);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("renew", "transfer");
    }

    @Test
    void aCallForAnotherLeaseIsHandedTheLockByTheServer() {
        hold();
        waiter(2);
        lock.tryLockAsync(60, 5, SECONDS, 3);
        waiter(4);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);

        unlock(2);

        assertThat(backend.next("transfer").args).contains("5050");
    }

    // --- fixed leases ---

    @Test
    void aFixedLeaseIsAskedForLongerThanItIsPromised() {
        lock.tryLockAsync(60, 1, SECONDS, 1);
        backend.next("acquire").granted(7);
        lock.tryLockAsync(60, 1, SECONDS, 2);
        lock.tryLockAsync(60, 1, SECONDS, 3);
        unlock(1);

        assertThat(backend.next("transfer").args.get(2)).isEqualTo("1050");
    }

    @Test
    void aFixedLeaseBehindWhichNoCallWaitsIsAskedForAsItIs() {
        lock.tryLockAsync(60, 1, SECONDS, 1);
        backend.next("acquire").granted(7);
        lock.tryLockAsync(60, 1, SECONDS, 2);
        unlock(1);

        assertThat(backend.next("transfer").args).endsWith("1000", "1", "1");
    }

    /** As two threads that take it in turn: there is always one that waits, and none behind it. */
    @Test
    void inARunAnotherCallIsExpected() {
        lock.tryLockAsync(60, 1, SECONDS, 1);
        backend.next("acquire").granted(7);
        for (int thread = 2; thread <= 3; thread++) {
            lock.tryLockAsync(60, 1, SECONDS, thread);
            unlock(thread - 1);
            backend.next("transfer").handedOver(100L * thread, thread == 2 ? 1 : 256, Others.NONE);
        }
        lock.tryLockAsync(60, 1, SECONDS, 4);
        unlock(3);

        assertThat(lock.isHeldByThread(4)).isTrue();
        backend.assertNothingOpen();
    }

    @Test
    void eachHoldOfAFixedLeaseHasAllOfItAndEndsAtItsEnd() {
        fixedTurn();
        backend.runtime.jumpMillis(49);
        unlock(2);
        backend.assertNothingOpen();

        backend.runtime.jumpMillis(987);
        assertThat(lock.isHeldByThread(3)).isTrue();
        backend.runtime.jumpMillis(2);
        assertThat(lock.isHeldByThread(3)).isFalse();
    }

    @Test
    void aFixedLeaseOfAnotherLengthIsNotShared() {
        lock.tryLockAsync(60, 1, SECONDS, 1);
        backend.next("acquire").granted(7);
        lock.tryLockAsync(60, 1, SECONDS, 2);
        lock.tryLockAsync(60, 500, MILLISECONDS, 3);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);

        unlock(2);

        assertThat(backend.next("transfer").args).contains("550");
    }

    @Test
    void anExtendedHoldSharesItsLeaseWithNoOther() {
        hold();
        CompletableFuture<Optional<LockHold>> second =
                lock.tryAcquireAsync(Duration.ofSeconds(60)).toCompletableFuture();
        waiter(3);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);
        holdOf(second).extendAsync(Duration.ofMinutes(10));
        backend.next("renew").done();

        holdOf(second).releaseAsync();

        assertThat(backend.next("transfer").args).contains("30000");
    }

    // --- losses ---

    @Test
    void aLossIsThePresentOwnersAndSaysHowOftenTheLockWasHandedOn() {
        List<LockLoss> losses = new ArrayList<>();
        hold();
        waiter(2);
        CompletableFuture<Optional<LockHold>> third =
                lock.tryAcquireAsync(Duration.ofSeconds(60)).toCompletableFuture();
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);
        CompletableFuture<Void> release = unlock(2);
        holdOf(third).onLost(losses::add);

        backend.lost();
        backend.reconnected();
        backend.next("renew").gone();
        backend.runtime.advanceMillis(1);

        assertThat(release).isCompleted();
        assertThat(losses).hasSize(1);
        assertThat(losses.get(0).reason()).isEqualTo(LossReason.KEY_GONE);
        assertThat(losses.get(0).fencingToken()).isEqualTo(101);
        assertThat(losses.get(0).detail()).contains("handed on 1 times");
        assertThat(losses.get(0).handedOutUnconfirmed()).isOne();
    }

    @Test
    void whatIsGoneIsFoundOutByTheFirstRequest() {
        turn(2, 3, 4);
        unlock(2);
        backend.runtime.jumpMillis(50);
        CompletableFuture<Void> third = unlock(3);
        backend.next("transfer").gone();

        assertFailed(third, LockLostException.class);
        assertThat(backend.next("acquire").field()).startsWith("c:4:");
    }

    // --- others ---

    @Test
    void aTurnGoesOnWhileNoOtherClientWantsTheLock() {
        turn(2, 3, 4);
        backend.topic().confirm();
        for (int thread = 2; thread < 40; thread++) {
            waiter(thread + 3);
            backend.runtime.jumpMillis(10);
            unlock(thread);
            for (Sent call : backend.open()) {
                assertThat(call.script()).isEqualTo("transfer");
                call.handedOver(1_000 * thread, 256, Others.NONE);
            }
            assertThat(lock.isHeldByThread(thread + 1)).isTrue();
        }
    }

    @Test
    void aMessageThatTheLockIsWantedEndsTheTurn() {
        turn(2, 3, 4);
        backend.topic().publish("wanted");
        unlock(2);
        backend.assertNothingOpen();

        backend.runtime.jumpMillis(1);
        unlock(3);

        assertThat(backend.next("release").args).endsWith("holdfast:{stock}:free", "1");
    }

    @Test
    void aTransferThatTellsOfOthersEndsTheTurn() {
        hold();
        waiter(2);
        waiter(3);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.CLIENTS);
        backend.runtime.jumpMillis(1);

        unlock(2);

        backend.next("release");
    }

    @Test
    void aQueueAtTheServerEndsTheTurnAtOnce() {
        hold();
        waiter(2);
        waiter(3);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.QUEUE);

        unlock(2);

        backend.next("release");
    }

    @Test
    void aTurnOfWhichNoOtherClientIsKnownEndsAfterHalfASecond() {
        turn(2, 3);
        backend.runtime.jumpMillis(499);
        waiter(4);
        unlock(2);
        backend.next("transfer").handedOver(1_000, 256, Others.NONE);

        backend.runtime.jumpMillis(1);
        unlock(3);

        backend.next("release");
    }

    @Test
    void whoseReleaseIsReservedForAnotherAsksWhenThatHasHadItsTime() {
        whenOthersAreToGoFirst();
        backend.next("release").reply(2L, 1L);

        backend.runtime.advanceMillis(10);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1);
        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    @Test
    void whoseTurnItIsAsksAtOnce() {
        whenOthersAreToGoFirst();
        backend.next("release").reply(2L, 2L);

        backend.topic().publish("next d");
        backend.assertNothingOpen();
        backend.topic().publish("next c");

        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    /** The refusal may be older than the message, and tell of a lease that is over by now. */
    @Test
    void aReservationThatWasHeardOfDuringARequestIsWaitedForAfterIt() {
        waiter(1);
        backend.next("acquire").refused(30_000);
        backend.topic().confirm();
        Sent late = backend.next("acquire");
        backend.topic().publish("next d");
        backend.runtime.advanceMillis(20);

        late.refused(30_000);
        backend.runtime.advanceMillis(0);

        assertThat(backend.next("acquire").field()).startsWith("c:1:");
    }

    @Test
    void whoseReleaseIsReservedForNoClientAsksAtOnce() {
        whenOthersAreToGoFirst();
        backend.next("release").reply(1L, 1L);

        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    /** One of an older version leaves no word. */
    @Test
    void aClientThatListensAndLeavesNoWordMayAskFirst() {
        whenOthersAreToGoFirst();
        backend.next("release").reply(1L, 2L);
        backend.topic().publish();

        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1);
        assertThat(backend.next("acquire").field()).startsWith("c:3:");
    }

    // --- what the server hears of it ---

    @Test
    void onlyACallThatWaitsLeavesWord() {
        lock.tryLockAsync(1);
        assertThat(backend.next("acquire").args).endsWith("1", "0", "holdfast:{stock}:free");
    }

    /** Word of a call that gives up soon would leave the lock unused. */
    @Test
    void aCallThatWaitsForAMomentLeavesNone() {
        lock.tryLockAsync(19, -1, MILLISECONDS, 1);
        assertThat(backend.next("acquire").args).endsWith("1", "0", "holdfast:{stock}:free");
    }

    @Test
    void aClientSaysThatNoMessageReachesIt() {
        waiter(1);
        Sent first = backend.next("acquire");
        assertThat(first.args).endsWith("1", "1", "holdfast:{stock}:free");
        first.refused(30_000);
        while (backend.open().isEmpty()) {
            backend.runtime.advanceMillis(1);
        }
        Sent second = backend.next("acquire");
        assertThat(second.args).endsWith("1", "*", "holdfast:{stock}:free");
        second.refused(30_000);
        backend.topic().confirm();

        assertThat(backend.next("acquire").args).endsWith("1", "1", "holdfast:{stock}:free");
    }

    @Test
    void aClientThatIsFarSaysSo() {
        waiter(1);
        Sent first = backend.next("acquire");
        backend.runtime.jumpMillis(5);
        first.refused(30_000);
        backend.topic().confirm();
        Sent second = backend.next("acquire");
        backend.runtime.jumpMillis(5);
        second.refused(30_000);
        backend.topic().publish("0");

        assertThat(backend.next("acquire").args).endsWith("1", "*", "holdfast:{stock}:free");
    }

    @Test
    void whereTheKeyOfTheTurnsIsRefusedAllGoesOnWithoutIt() {
        lock.tryLockAsync(1);
        Sent refused = backend.next("acquire");
        refused.fault(Fault.Kind.NOPERM, false);
        Sent again = backend.next("acquire");
        assertThat(again.keys).doesNotContain("holdfast:{stock}:turns");
        assertThat(again.field()).isEqualTo(refused.field());
        again.granted(7);
        waiter(2);
        waiter(3);
        unlock(1);

        Sent transfer = backend.next("transfer");
        assertThat(transfer.keys).doesNotContain("holdfast:{stock}:turns");
        transfer.granted(8);
        unlock(2);
        backend.next("transfer").granted(9);
        unlock(3);
        assertThat(backend.next("release").keys).containsExactly("holdfast:{stock}");
    }

    /** Other clients leave no word there, so a turn is as short as where the server knows of no turns. */
    @Test
    void whereTheKeyOfTheTurnsIsRefusedATurnIsShort() {
        lock.tryLockAsync(1);
        backend.next("acquire").fault(Fault.Kind.NOPERM, false);
        backend.next("acquire").granted(7);
        waiter(2);
        waiter(3);
        unlock(1);
        backend.next("transfer").granted(8);
        backend.runtime.jumpMillis(50);

        unlock(2);

        backend.next("release");
    }

    // --- where it is off ---

    @Test
    void withoutTheOptionEachHandOverIsARequest() {
        RLock served = EngineClient.over(
                        backend, ClientOptions.builder().localHandOver(false).build(), "d")
                .getLock("stock");
        served.tryLockAsync(1);
        backend.next("acquire").granted(7);
        served.tryLockAsync(60, 1, SECONDS, 2);
        served.unlockAsync(1);

        assertThat(backend.next("transfer").args).endsWith("1000", "1", "1");
    }

    @Test
    void aShortWaitIsNotRefusedByAHoldThatIsHandedOn() {
        turn(2, 3);
        CompletableFuture<Boolean> shortWait =
                lock.tryLockAsync(5, -1, MILLISECONDS, 4).toCompletableFuture();
        unlock(2);
        unlock(3);

        assertThat(now(shortWait)).isTrue();
    }

    // --- what the tests share ---

    /** The turn of this client is over, and thread 3 waits. */
    private void whenOthersAreToGoFirst() {
        turn(2, 3);
        backend.topic().confirm();
        backend.topic().publish("wanted");
        backend.runtime.jumpMillis(1);
        unlock(2);
    }

    /** The lock of thread 1 was handed to the first of these, on good terms; the others wait. */
    private Sent turn(long... threads) {
        return turnOf(256, threads);
    }

    private Sent turnOf(int tokens, long... threads) {
        hold();
        for (long thread : threads) {
            waiter(thread);
        }
        unlock(1);
        Sent transfer = backend.next("transfer");
        transfer.handedOver(100, tokens, Others.NONE);
        assertThat(lock.isHeldByThread(threads[0])).isTrue();
        return transfer;
    }

    /** The lock has a lease of a second; threads 2 and 3 want it for as long, and 2 has it. */
    private void fixedTurn() {
        lock.tryLockAsync(60, 1, SECONDS, 1);
        backend.next("acquire").granted(7);
        lock.tryLockAsync(60, 1, SECONDS, 2);
        lock.tryLockAsync(60, 1, SECONDS, 3);
        unlock(1);
        backend.next("transfer").handedOver(100, 256, Others.NONE);
        assertThat(lock.isHeldByThread(2)).isTrue();
    }

    private void hold() {
        lock.tryLockAsync(1);
        backend.next("acquire").granted(7);
    }

    private CompletableFuture<Boolean> waiter(long threadId) {
        return lock.tryLockAsync(60, -1, SECONDS, threadId).toCompletableFuture();
    }

    private CompletableFuture<Void> unlock(long threadId) {
        return lock.unlockAsync(threadId).toCompletableFuture();
    }

    private static LockHold holdOf(CompletableFuture<Optional<LockHold>> call) {
        return now(call).orElseThrow();
    }
}
