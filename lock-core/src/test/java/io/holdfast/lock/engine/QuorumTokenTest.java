package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.Fault;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How the nodes of a quorum come to one token, and what happens when one of them does not play along. */
class QuorumTokenTest {
    private static final long LEAD_MICROS = SECONDS.toMicros(1);
    private static final int PROPOSAL = 3;

    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock lock = quorum.lock();

    @Test
    void aNodeThatGrantsLateIsToldTheToken() {
        acquire();
        Sent late = quorum.next(2, "propose");
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(10);

        late.granted(7);

        assertThat(quorum.next(2, "adopt").args).contains("10");
        quorum.next(2, "adopt").done();
        quorum.assertNothingOpen();
    }

    @Test
    void nothingIsProposedBeforeAnyNodeHasToldItsTime() {
        lock.tryLockAsync(1);

        assertThat(quorum.next(0, "propose").args.get(PROPOSAL)).isEqualTo("0");
    }

    @Test
    void theProposalIsTheHighestClockHeardPlusTheTimeSincePlusALead() {
        quorum.node(1).epochMicros += 90_000_000;
        holdAndRelease();
        quorum.runtime.advanceMillis(3_000);

        lock.tryLockAsync(1);

        String expected = Long.toString(quorum.node(1).micros() + LEAD_MICROS);
        quorum.each("propose", asked -> assertThat(asked.args.get(PROPOSAL)).isEqualTo(expected));
        assertThat(quorum.next(0, "propose").args.get(4)).as("how far ahead").isEqualTo("600000000");
    }

    @Test
    void whenAMajorityAgreesThereIsNoSecondRound() {
        CompletableFuture<LockHold> call = acquire();
        quorum.next(0, "propose").granted(20);
        quorum.next(1, "propose").granted(20);

        assertThat(now(call).fencingToken()).isEqualTo(20);
        assertThat(quorum.count("adopt")).isZero();
    }

    @Test
    void theHighestTokenIsAdoptedBeforeTheLockIsHandedOut() {
        CompletableFuture<LockHold> call = acquire();
        Sent asked = quorum.next(0, "propose");
        asked.granted(10);
        quorum.next(1, "propose").granted(20);
        assertThat(call).isNotDone();

        Sent adopt = quorum.next(0, "adopt");
        assertThat(adopt.args).containsExactly(asked.field(), "20", "1");
        assertThat(adopt.keys).isEqualTo(asked.keys.subList(0, 2));
        adopt.reply(1L);

        assertThat(now(call).fencingToken()).isEqualTo(20);
        assertThat(quorum.scripts(1)).containsExactly("propose");
    }

    @Test
    void aThirdNodeThatAgreesSparesTheWaitForTheAdoption() {
        CompletableFuture<LockHold> call = acquire();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);

        quorum.next(2, "propose").granted(20);

        assertThat(now(call).fencingToken()).isEqualTo(20);
    }

    @Test
    void aHigherTokenDuringTheAdoptionIsAdoptedInstead() {
        CompletableFuture<LockHold> call = acquire();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        Sent first = quorum.next(0, "adopt");
        quorum.next(2, "propose").granted(30);

        assertThat(quorum.next(1, "adopt").args.get(1)).isEqualTo("30");
        first.reply(1L);
        assertThat(call).isNotDone();
        assertThat(quorum.next(0, "adopt").args.get(1)).isEqualTo("30");
        quorum.next(0, "adopt").reply(1L);

        assertThat(now(call).fencingToken()).isEqualTo(30);
    }

    @Test
    void anAdoptionByANodeThatHasForgottenTheRequestDoesNotCount() {
        CompletableFuture<LockHold> call = acquire();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        quorum.next(0, "adopt").reply(0L);
        assertThat(call).isNotDone();

        quorum.next(2, "propose").granted(20);

        assertThat(now(call).fencingToken()).isEqualTo(20);
        assertThat(now(call).validFor().toMillis()).isPositive();
    }

    @Test
    void withoutAMajorityForOneTokenTheRoundIsLostAndUndone() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        quorum.next(0, "adopt").reply(0L);

        assertFailed(call, LockUnavailableException.class);
        assertThatThrownBy(() -> now(call)).hasMessageContaining("a: it no longer knew the request");
        quorum.next(1, "release").done();
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void anAdoptionWithoutAnAnswerDoesNotCountAndTheNodeIsUndone() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();
        quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        Sent adopt = quorum.next(0, "adopt");
        assertThat(adopt.dueMillis()).isEqualTo(50);

        adopt.overdue();

        assertThatThrownBy(() -> now(call))
                .hasMessageContaining("a: granted, but could not be told the token: no answer");
        assertThat(quorum.scripts(0)).containsExactly("propose", "adopt", "release");
        assertThat(quorum.scripts(1)).containsExactly("propose", "release");
        adopt.reply(1L);
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void anAdoptionThatFailsDoesNotCount() {
        CompletableFuture<LockHold> call = acquire();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        quorum.next(0, "adopt").disconnected();
        assertThat(call).isNotDone();

        quorum.next(2, "propose").granted(15);
        quorum.next(2, "adopt").reply(1L);

        assertThat(now(call).fencingToken()).isEqualTo(20);
    }

    @Test
    void aNodeThatGrantedButCouldNotBeToldTheTokenIsStillReleased() {
        CompletableFuture<LockHold> call = acquire();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        quorum.next(0, "adopt").disconnected();
        quorum.next(2, "propose").granted(20);

        now(call).releaseAsync();

        quorum.each("release", Sent::done);
    }

    @Test
    void theValidityIsLookedAtWhenTheLockIsHandedOut() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(0, 1, SECONDS, 1).toCompletableFuture();
        quorum.next(2, "propose").fault(Fault.Kind.UNREACHABLE, false);
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        quorum.runtime.jumpMillis(988);

        quorum.next(0, "adopt").reply(1L);

        assertFailed(call, LockUnavailableException.class);
        assertThat(lock.isHeldByThread(1)).isFalse();
        assertThat(quorum.scripts(0)).endsWith("release");
        assertThat(quorum.scripts(1)).endsWith("release");
    }

    @Test
    void justBeforeItsEndTheValidityIsGoodEnough() {
        CompletableFuture<Boolean> call = lock.tryLockAsync(0, 1, SECONDS, 1).toCompletableFuture();
        quorum.next(0, "propose").granted(10);
        quorum.next(1, "propose").granted(20);
        quorum.runtime.jumpMillis(987);

        quorum.next(0, "adopt").reply(1L);

        assertThat(call).isCompletedWithValue(true);
        quorum.runtime.jumpMillis(1);
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    @Test
    void withoutFencingNothingIsProposedNorAdopted() {
        ScriptedQuorum unfenced =
                new ScriptedQuorum(3, QuorumOptions.builder().fencing(false).build());
        LockClient client = unfenced.client("c");
        CompletableFuture<LockHold> call =
                client.getLock("stock").acquireAsync().toCompletableFuture();
        assertThat(unfenced.next(0, "propose").args.get(PROPOSAL)).isEqualTo("0");
        unfenced.next(0, "propose").granted(10);
        unfenced.next(1, "propose").granted(20);

        LockHold hold = now(call);
        assertThat(unfenced.count("adopt")).isZero();
        assertThatThrownBy(hold::fencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("fencing tokens are switched off");
        hold.releaseAsync();
        unfenced.next(2, "propose").granted(30);
        unfenced.doneAll();

        client.getLock("stock").tryLockAsync(1);
        assertThat(unfenced.next(0, "propose").args.get(PROPOSAL)).isEqualTo("0");
    }

    private CompletableFuture<LockHold> acquire() {
        return lock.acquireAsync().toCompletableFuture();
    }

    private void holdAndRelease() {
        lock.tryLockAsync(1);
        quorum.grantAll();
        lock.unlockAsync(1);
        quorum.doneAll();
    }
}
