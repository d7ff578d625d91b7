package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOutcomeUnknownException;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.ServerRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What the engine does with the failover guard, event by event (rules 86 to 89). */
class FailoverGuardTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final List<Object> GRANT = List.of(1L, 7L);
    private static final List<Object> REFUSAL = List.of(0L, 20_000L);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final ScriptedVouching vouching = new ScriptedVouching(backend.runtime, 3);
    private final List<LockLoss> losses = new ArrayList<>();
    private final LockClient client;
    private final RLock lock;

    FailoverGuardTest() {
        backend.vouching = vouching;
        backend.run = new ServerRun("first", 0, false, "10.0.0.1:6379");
        client = EngineClient.over(backend, options(), "c");
        lock = client.getLock("stock");
        backend.next("term").reply(1L);
    }

    private static ClientOptions options() {
        return ClientOptions.builder().failoverGuard(LONGEST).build();
    }

    // --- what is sent ---

    @Test
    void aRequestNamesTheTermItsEpochAndThePause() {
        lock.tryLockAsync(1);
        Sent acquire = backend.next("guarded-acquire");
        assertThat(acquire.keys).containsExactly("holdfast:term", "holdfast:{stock}", acquire.keys.get(2));
        assertThat(acquire.args)
                .startsWith("c:1:1", "30000", "1")
                .endsWith("3", pauseMillis(), "0")
                .hasSize(6);
    }

    @Test
    void renewalsAreRunDuringThePauseTooAndHaveAShorterOne() {
        hold();
        backend.runtime.advanceMillis(10_000);
        Sent renewal = backend.next("guarded-renew");
        assertThat(renewal.keys).containsExactly("holdfast:term", "holdfast:{stock}");
        assertThat(renewal.args).containsExactly("c:h1:1", "30000", "3", "5051", "1");
    }

    @Test
    void releasesAreNotGuarded() {
        LockHold hold = hold();
        vouching.ends();
        CompletableFuture<Void> released = hold.releaseAsync().toCompletableFuture();
        backend.next("release").done();
        assertThat(released).isCompleted();
    }

    @Test
    void withoutTheOptionNothingIsGuarded() {
        ScriptedBackend plain = new ScriptedBackend();
        EngineClient.over(plain, ClientOptions.defaults(), "c").getLock("stock").tryLockAsync(1);
        assertThat(plain.next("acquire").keys).noneMatch(key -> key.endsWith("term"));
    }

    // --- whose word counts ---

    @Test
    void withoutAMajorityNothingIsSentAndTheCallFails() {
        vouching.ends();
        CompletableFuture<Boolean> call = asking();
        backend.assertNothingOpen();
        assertReason(call, LockUnavailableException.class, FailureReason.NOT_VOUCHED);
    }

    @Test
    void aCallWithAWaitGoesOnAsSoonAsTheSentinelsNameTheServer() {
        vouching.ends();
        CompletableFuture<Boolean> call = waiting();
        backend.assertNothingOpen();
        vouching.names(3);
        backend.next("term").reply(1L);
        backend.next("guarded-acquire").counting(GRANT);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aGrantThatNoMajorityVouchesForIsUndone() {
        CompletableFuture<Boolean> call = asking();
        Sent acquire = backend.next("guarded-acquire");
        vouching.endsUnheard();
        acquire.counting(GRANT);
        assertReason(call, LockUnavailableException.class, FailureReason.NOT_VOUCHED);
        assertThat(backend.next("release").field()).isEqualTo(acquire.field());
    }

    @Test
    void aGrantUnderAnEarlierEpochIsUndoneAndAskedForAnew() {
        CompletableFuture<Boolean> call = waiting();
        Sent first = backend.next("guarded-acquire");
        vouching.names(4);
        first.counting(GRANT);
        backend.next("term").reply(1L);
        backend.next("release").done();
        backend.runtime.advanceMillis(100);
        Sent second = backend.next("guarded-acquire");
        assertThat(second.field()).isNotEqualTo(first.field());
        assertThat(second.args.get(3)).isEqualTo("4");
        second.counting(GRANT);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aRefusalThatNoMajorityVouchesForIsNone() {
        CompletableFuture<Boolean> call = asking();
        Sent acquire = backend.next("guarded-acquire");
        vouching.endsUnheard();
        acquire.counting(REFUSAL);
        assertReason(call, LockUnavailableException.class, FailureReason.NOT_VOUCHED);
        backend.assertNothingOpen();
    }

    /** A call for more permits than there are has got no place in the queue, which would be to be left. */
    @Test
    void aSemaphoresWordAboveItsLimitThatNoMajorityVouchesForIsNone() {
        CompletableFuture<List<String>> call =
                client.getPermitExpirableSemaphore("stock").tryAcquireAsync(3).toCompletableFuture();
        Sent join = backend.next("guarded-permit-join");
        vouching.endsUnheard();
        join.counting(List.of(-1L, 2L));
        assertReason(call, LockUnavailableException.class, FailureReason.NOT_VOUCHED);
        backend.assertNothingOpen();
    }

    @Test
    void aGrantToAnAbandonedCallIsUndoneWhetherItCountsOrNot() {
        CompletableFuture<Boolean> call = waiting();
        Sent acquire = backend.next("guarded-acquire");
        call.cancel(true);
        backend.open().stream().filter(sent -> sent.script().equals("release")).forEach(Sent::done);
        vouching.endsUnheard();
        acquire.counting(GRANT);
        assertThat(backend.next("release").field()).isEqualTo(acquire.field());
    }

    // --- terms ---

    @Test
    void theFirstToFindNoTermBeginsOneAndIsToldHowLongToWait() {
        CompletableFuture<Boolean> call = waiting();
        client.getLock("other").tryLockAsync(60, -1, SECONDS, 1);
        List<Sent> asked = backend.open();
        asked.forEach(Sent::noTerm);
        Sent term = backend.next("term");
        assertThat(backend.open()).hasSize(1);
        assertThat(term.keys).containsExactly("holdfast:term");
        assertThat(term.args).containsExactly("3");
        term.reply(1L);
        backend.open().forEach(sent -> sent.paused(35_000));
        backend.runtime.advanceMillis(34_990);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(20);
        backend.next("guarded-acquire").counting(GRANT);
        assertThat(call).isCompletedWithValue(true);
    }

    @Test
    void aTermIsNotBegunForAnEpochThatIsOver() {
        lock.tryLockAsync(60, -1, SECONDS, 1);
        Sent acquire = backend.next("guarded-acquire");
        vouching.endsUnheard();
        acquire.noTerm();
        backend.assertNothingOpen();
    }

    @Test
    void aTermWhoseBeginningFailedIsBegunByTheNextRequest() {
        lock.tryLockAsync(60, -1, SECONDS, 1);
        backend.next("guarded-acquire").noTerm();
        backend.next("term").disconnected();
        backend.runtime.advanceMillis(100);
        backend.next("guarded-acquire").noTerm();
        backend.next("term");
    }

    /** As where two groups of Sentinels watch one server: neither is granted anything, and neither may be hectic about it. */
    @Test
    void aTermThatAnotherClientReplacesIsNotBegunAgainAtOnce() {
        lock.tryLockAsync(60, -1, SECONDS, 1);
        for (int i = 0; i < 500; i++) {
            backend.open().stream()
                    .filter(sent -> sent.script().equals("guarded-acquire"))
                    .forEach(Sent::noTerm);
            backend.open().forEach(term -> term.reply(1L));
            backend.runtime.advanceMillis(10);
        }
        assertThat(backend.sent)
                .filteredOn(sent -> sent.script().equals("term"))
                .hasSizeBetween(4, 7);
    }

    @Test
    void whyATermCouldNotBeginIsToldToTheCallsThatNeedIt() {
        backend.lost();
        backend.reconnected();
        backend.next("term").fault(Fault.Kind.NOREPLICAS, false);
        CompletableFuture<Boolean> call = asking();
        backend.next("guarded-acquire").noTerm();
        LockException failure = assertReason(call, LockUnavailableException.class, FailureReason.NOREPLICAS);
        assertThat(failure).hasMessageContaining("the term of epoch 3 could not begin: as the test wants it");
        backend.next("term").reply(1L);
        CompletableFuture<Boolean> next = lock.tryLockAsync(2).toCompletableFuture();
        backend.next("guarded-acquire").noTerm();
        assertReason(next, LockUnavailableException.class, FailureReason.NOT_VOUCHED);
    }

    /** The server counts again under the same epoch, and a thread was told in between that it does not. */
    @Test
    void aCallThatMissedTheMajorityForAMomentGoesOnAsSoonAsItIsBack() {
        vouching.names(3);
        backend.next("term").reply(1L);
        vouching.endsUnheard();
        CompletableFuture<Boolean> call = waiting();
        backend.assertNothingOpen();
        vouching.names(3);
        backend.next("term").reply(1L);
        backend.next("guarded-acquire").counting(GRANT);
        assertThat(call).isCompletedWithValue(true);
    }

    // --- the pause ---

    @Test
    void duringThePauseACallWithoutAWaitFailsWithItsRest() {
        CompletableFuture<Boolean> call = asking();
        backend.next("guarded-acquire").paused(34_200);
        LockException failure = assertReason(call, LockUnavailableException.class, FailureReason.PAUSED);
        assertThat(failure).hasMessageContaining("34.2 s are left of its pause").hasMessageContaining("'stock'");
    }

    @Test
    void aWaitThatEndsBeforeThePauseFailsAndIsNeverFalse() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(10, -1, SECONDS, 1).toCompletableFuture();
        backend.next("guarded-acquire").paused(34_000);
        backend.runtime.advanceMillis(9_990);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(20);
        backend.next("guarded-acquire").paused(24_000);
        backend.runtime.advanceMillis(5_000);
        assertReason(call, LockUnavailableException.class, FailureReason.PAUSED);
    }

    /** The head has been told how long it takes, and asks again when that is over: no answer comes before. */
    @Test
    void aWaitBehindAPausedHeadEndsWithWhatIsLeftOfThePause() {
        lock.lockAsync(1);
        CompletableFuture<Boolean> behind =
                lock.tryLockAsync(10, -1, SECONDS, 2).toCompletableFuture();
        backend.next("guarded-acquire").paused(34_000);
        backend.runtime.advanceMillis(9_990);
        assertThat(behind).isNotDone();
        backend.runtime.advanceMillis(10);
        LockException failure = assertReason(behind, LockUnavailableException.class, FailureReason.PAUSED);
        assertThat(failure).hasMessageContaining("24 s are left of its pause");
        backend.assertNothingOpen();
    }

    /** The head has an answer within the time that a call behind it stays for one. */
    @Test
    void aWaitThatEndsShortlyBeforeThePauseStaysForTheAnswer() {
        lock.lockAsync(1);
        CompletableFuture<Boolean> behind =
                lock.tryLockAsync(10, -1, SECONDS, 2).toCompletableFuture();
        backend.next("guarded-acquire").paused(10_500);
        backend.runtime.advanceMillis(10_400);
        assertThat(behind).isNotDone();
        backend.runtime.advanceMillis(110);
        backend.next("guarded-acquire").counting(REFUSAL);
        assertThat(behind).isCompletedWithValue(false);
    }

    /** The longest outage is 30 s by default, and a pause is longer. */
    @Test
    void aPauseIsNoOutage() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        backend.next("guarded-acquire").paused(100_000);
        backend.runtime.advanceMillis(99_000);
        assertThat(call).isNotDone();
        backend.runtime.advanceMillis(1_100);
        backend.next("guarded-acquire").counting(GRANT);
        assertThat(call).isCompleted();
    }

    @Test
    void thatNoMajorityNamesTheServerIsAnOutage() {
        CompletableFuture<Void> call = lock.lockAsync(1).toCompletableFuture();
        vouching.ends();
        backend.next("guarded-acquire").noTerm();
        backend.runtime.advanceMillis(40_000);
        assertReason(call, LockUnavailableException.class, FailureReason.NOT_VOUCHED);
    }

    // --- holds ---

    @Test
    void aRenewalDuringTheSilenceChangesNothingAndIsRepeated() {
        LockHold hold = hold();
        backend.runtime.advanceMillis(10_000);
        long before = validMillis(hold);
        backend.next("guarded-renew").early(4_000, List.of(1L));
        assertThat(validMillis(hold)).isEqualTo(before);
        assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);
        backend.runtime.advanceMillis(3_990);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(20);
        backend.next("guarded-renew").counting(List.of(1L));
        assertThat(validMillis(hold)).isGreaterThan(before);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    @Test
    void aHoldThatTheNewPrimaryLacksIsLostDuringTheSilenceAlready() {
        LockHold hold = hold();
        backend.lost();
        backend.run = new ServerRun("second", 0, false, "10.0.0.2:6379");
        vouching.names(4);
        backend.open().forEach(Sent::disconnected);
        backend.open().forEach(Sent::disconnected);
        backend.reconnected();
        backend.next("term").reply(1L);
        backend.next("guarded-renew").early(5_000, List.of(0L));
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.FAILED_OVER);
    }

    /** Rule 128: who holds a lock that the new primary lacks hears of it before a release frees it to another. */
    @Test
    void releasesAreRepeatedBehindTheRenewals() {
        hold().releaseAsync();
        backend.next("release").done();
        hold();
        backend.lost();
        backend.run = new ServerRun("second", 0, false, "10.0.0.2:6379");
        backend.reconnected();

        backend.next("term").reply(1L);

        assertThat(backend.open()).extracting(Sent::script).containsExactly("guarded-renew", "release");
    }

    @Test
    void aRenewalThatNoMajorityVouchesForChangesNothing() {
        LockHold hold = hold();
        backend.runtime.advanceMillis(10_000);
        long before = validMillis(hold);
        Sent renewal = backend.next("guarded-renew");
        vouching.endsUnheard();
        renewal.counting(List.of(1L));
        assertThat(validMillis(hold)).isEqualTo(before);
        assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);
    }

    @Test
    void aServerThatDoesNotCountIsNotBelievedThatAHoldIsGone() {
        LockHold hold = hold();
        backend.runtime.advanceMillis(10_000);
        Sent renewal = backend.next("guarded-renew");
        vouching.endsUnheard();
        renewal.counting(List.of(0L));
        assertThat(hold.state()).isEqualTo(HoldState.UNCERTAIN);
    }

    @Test
    void aHoldWhoseRenewalsDoNotCountIsLostWhenItsValidityIsOver() {
        LockHold hold = hold();
        vouching.ends();
        backend.runtime.advanceMillis(29_000);
        assertThat(backend.sent).extracting(Sent::script).doesNotContain("guarded-renew");
        backend.runtime.advanceMillis(1_000);
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses.get(0).reason()).isEqualTo(LossReason.NOT_RENEWED);
        assertThat(losses.get(0).detail()).contains("NOT_VOUCHED");
    }

    @Test
    void holdsAreAskedForAtOnceWhenANewEpochIsHeardOf() {
        hold();
        vouching.names(4);
        Sent term = backend.next("term");
        assertThat(term.args).containsExactly("4");
        term.reply(1L);
        Sent renewal = backend.next("guarded-renew");
        assertThat(renewal.args.get(2)).isEqualTo("4");
    }

    @Test
    void anEpochThatIsHeardOfWhileAnotherTermBeginsIsNotForgotten() {
        vouching.names(4);
        Sent earlier = backend.next("term");
        vouching.names(5);
        earlier.reply(1L);
        assertThat(backend.next("term").args).containsExactly("5");
    }

    @Test
    void theTermBeginsWithTheConnectionBeforeARequestNeedsIt() {
        backend.lost();
        backend.reconnected();
        assertThat(backend.next("term").args).containsExactly("3");
    }

    @Test
    void aTermThatCouldNotBeginDoesNotKeepHoldsFromBeingAskedFor() {
        hold();
        backend.lost();
        backend.reconnected();
        backend.next("term").fault(Fault.Kind.OOM, false);
        backend.next("guarded-renew").noTerm();
        backend.next("term").fault(Fault.Kind.OOM, false);
        backend.assertNothingOpen();
    }

    @Test
    void aReentryWaitsUntilTheSilenceIsOver() {
        take();
        CompletableFuture<Boolean> again = lock.tryLockAsync(20, -1, SECONDS, 1).toCompletableFuture();
        backend.next("guarded-reenter").paused(4_000);
        backend.runtime.advanceMillis(3_990);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(20);
        backend.next("guarded-reenter").counting(1L);
        assertThat(again).isCompletedWithValue(true);
    }

    @Test
    void aReentryThatDoesNotCountIsOfUnknownOutcome() {
        take();
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        Sent reentry = backend.next("guarded-reenter");
        vouching.endsUnheard();
        reentry.counting(1L);
        backend.runtime.advanceMillis(20_000);
        assertReason(again, LockOutcomeUnknownException.class, FailureReason.NOT_VOUCHED);
    }

    @Test
    void anExtensionThatDoesNotCountProlongsNothing() {
        LockHold hold = hold();
        long before = validMillis(hold);
        CompletableFuture<Void> extension =
                hold.extendAsync(Duration.ofSeconds(30)).toCompletableFuture();
        backend.runtime.advanceMillis(5);
        Sent asked = backend.next("guarded-renew");
        assertThat(asked.args).endsWith("0");
        vouching.endsUnheard();
        asked.counting(List.of(1L));
        assertThat(validMillis(hold)).isLessThanOrEqualTo(before);
        backend.runtime.advanceMillis(5_000);
        assertThat(extension).isCompletedExceptionally();
    }

    // --- hand-overs ---

    @Test
    void whereNothingCountsALockIsReleasedAndNotHandedOver() {
        take();
        lock.tryLockAsync(60, -1, SECONDS, 2);
        vouching.ends();
        CompletableFuture<Void> unlock = lock.unlockAsync(1).toCompletableFuture();
        backend.next("release").done();
        assertThat(unlock).isCompleted();
    }

    @Test
    void aHandOverThatIsRefusedDuringThePauseIsARelease() {
        CompletableFuture<Void> unlock = handOver();
        backend.next("guarded-transfer").paused(30_000);
        backend.next("release").done();
        assertThat(unlock).isCompleted();
    }

    @Test
    void aHandOverThatDoesNotCountIsUndoneAndTheUnlockIsDone() {
        CompletableFuture<Void> unlock = handOver();
        Sent transfer = backend.next("guarded-transfer");
        vouching.endsUnheard();
        transfer.counting(GRANT);
        assertThat(unlock).isCompleted();
        assertThat(backend.next("release").field()).isEqualTo(transfer.args.get(1));
    }

    // --- what is refused ---

    @Test
    void aLongerLeaseIsRefusedBeforeAnythingIsSent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.tryLockAsync(0, 31, SECONDS, 1))
                .withMessage("lock 'stock': lease: 31 s (expected: at most failoverGuard, 30 s)");
        RLock longer = client.getLock(
                "long",
                LockOptions.builder().watchdogLease(Duration.ofMinutes(1)).build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longer.tryLockAsync(1))
                .withMessage("lock 'long': lease: 1 min (expected: at most failoverGuard, 30 s)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.getPermitExpirableSemaphore("stock").acquireAsync(31, SECONDS))
                .withMessage("semaphore 'stock': lease: 31 s (expected: at most failoverGuard, 30 s)");
        backend.assertNothingOpen();
    }

    @Test
    void aLongerExtensionIsRefused() {
        LockHold hold = hold();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hold.extendAsync(Duration.ofSeconds(31)))
                .withMessage("lock 'stock': lease: 31 s (expected: at most failoverGuard, 30 s)");
        backend.assertNothingOpen();
    }

    /** The MultiLock's own lease is the shortest of its members', and each is taken with its own. */
    @Test
    void aLongerLeaseOfOneMemberOfAMultiLockIsRefused() {
        RLock longer = client.getLock(
                "long",
                LockOptions.builder().watchdogLease(Duration.ofMinutes(1)).build());
        RLock both = EngineClient.multiLock(List.of(lock, longer));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> both.tryLockAsync(1))
                .withMessage("lock 'long': lease: 1 min (expected: at most failoverGuard, 30 s)");
        backend.assertNothingOpen();
    }

    @Test
    void aLevelThatIsRenewedAboveAFixedOneIsNotRenewedForLonger() {
        LockOptions fixed = LockOptions.builder()
                .lease(Duration.ofSeconds(30))
                .watchdogLease(Duration.ofMinutes(1))
                .build();
        client.getLock("stock", fixed).tryLockAsync(1);
        backend.next("guarded-acquire").counting(GRANT);
        lock.tryLockAsync(1);
        backend.next("guarded-reenter").counting(1L);
        backend.runtime.advanceMillis(25_000);
        assertThat(backend.next("guarded-renew").args.get(1)).isEqualTo("30000");
    }

    @Test
    void aStoreWithoutSentinelsRefusesTheGuard() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> EngineClient.over(new ScriptedBackend(), options(), "c"))
                .withMessageContaining("failoverGuard: scripted has no Sentinels");
    }

    @Test
    void aQuorumRefusesTheGuard() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineClient.overQuorum(
                        List.of(new ScriptedBackend(), new ScriptedBackend()),
                        options(),
                        QuorumOptions.defaults(),
                        "c"))
                .withMessageStartingWith("failoverGuard: ");
    }

    @Test
    void aServerThatDoesNotTellItsIdIsRefusedWithTheRightThatLacks() {
        CompletableFuture<Boolean> call = waiting();
        backend.next("guarded-acquire").reply(-2L, "ERR The user executing the script can't run this command");
        LockException failure = assertReason(call, LockServerException.class, FailureReason.NOPERM);
        assertThat(failure).hasMessageContaining("+info");
    }

    /** No right helps where there is nothing to tell. */
    @Test
    void aServerThatHasNoIdIsNoMatterOfRights() {
        CompletableFuture<Boolean> call = waiting();
        backend.next("guarded-acquire").reply(-3L);
        LockException failure = assertReason(call, LockServerException.class, FailureReason.SERVER_ERROR);
        assertThat(failure).hasMessageContaining("has no master_replid").hasMessageNotContainingAny("+info", "right");
    }

    @Test
    void faultsOfTheTransportStayWhatTheyAre() {
        CompletableFuture<Boolean> call = asking();
        backend.next("guarded-acquire").fault(Fault.Kind.OOM, false);
        assertReason(call, LockServerException.class, FailureReason.OOM);
    }

    // --- tools ---

    /** A call without a wait. */
    private CompletableFuture<Boolean> asking() {
        return lock.tryLockAsync(1).toCompletableFuture();
    }

    /** A call that waits for a minute. */
    private CompletableFuture<Boolean> waiting() {
        return lock.tryLockAsync(60, -1, SECONDS, 1).toCompletableFuture();
    }

    /** The first owner has the lock. */
    private void take() {
        asking();
        backend.next("guarded-acquire").counting(GRANT);
    }

    private LockHold hold() {
        CompletableFuture<LockHold> handle = lock.acquireAsync().toCompletableFuture();
        backend.next("guarded-acquire").counting(GRANT);
        return handle.join().onLost(losses::add);
    }

    private CompletableFuture<Void> handOver() {
        take();
        lock.tryLockAsync(60, -1, SECONDS, 2);
        return lock.unlockAsync(1).toCompletableFuture();
    }

    private static long validMillis(LockHold hold) {
        return hold.validFor().toMillis();
    }

    private static String pauseMillis() {
        return Long.toString(30_000 + 302 + 1 + 5_051);
    }

    private static LockException assertReason(
            CompletableFuture<?> call, Class<? extends LockException> type, FailureReason reason) {
        assertThat(call).as("a call that should have failed").isDone();
        CompletionException failure = assertThrows(CompletionException.class, call::join);
        assertThat(failure.getCause()).isInstanceOf(type);
        LockException cause = (LockException) failure.getCause();
        assertThat(cause.reason()).isEqualTo(reason);
        return cause;
    }
}
