package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.multi.MultiLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The end of a client gives back what the watchdog renews, and leaves fixed leases to the server (rule 38). */
class CloseOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");

    @Test
    void aFixedLeaseIsLeftAndItsHolderIsTold() {
        List<LockLoss> losses = new ArrayList<>();
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofHours(1)).acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        LockHold hold = now(call).onLost(losses::add);

        client.close();

        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(losses).extracting(LockLoss::reason).containsExactly(LossReason.CLIENT_CLOSED);
        assertThat(losses.get(0).detail()).contains("its fixed lease goes on at the server");
        backend.assertNothingOpen();
        assertThat(backend.isClosed()).as("there is nothing to wait for").isTrue();
    }

    @Test
    void aFixedLeaseIsLeftThoughItsHolderReleasesItWhenLost() {
        CompletableFuture<LockHold> call =
                lock.withLease(Duration.ofHours(1)).acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(7);
        LockHold hold = now(call);
        hold.onLost(loss -> hold.releaseAsync());

        client.close();

        backend.assertNothingOpen();
    }

    @Test
    void aFixedLeaseFromTheOptionsIsLeft() {
        LockOptions fixed = LockOptions.builder().lease(Duration.ofHours(1)).build();
        client.getLock("stock", fixed).tryLockAsync(1);
        backend.next("acquire").granted(7);

        client.close();

        backend.assertNothingOpen();
    }

    @Test
    void anInnerWatchedLevelDoesNotFreeAFixedOne() {
        lock.lockAsync(60, MINUTES, 1);
        backend.next("acquire").granted(7);
        lock.lockAsync(1);
        backend.next("reenter").done();

        client.close();

        backend.assertNothingOpen();
    }

    @Test
    void anInnerFixedLevelIsLeftToo() {
        watchedThenFixed();

        client.close();

        backend.assertNothingOpen();
    }

    @Test
    void aFixedLevelThatWasGivenBackIsNotLeft() {
        String field = watchedThenFixed();
        lock.unlockAsync(1);
        backend.next("release").done();

        client.close();

        assertThat(backend.releasedFields()).containsExactly(field);
    }

    @Test
    void theLastLeaseOfAWatchedHoldIsReleased() {
        LockOptions bounded =
                LockOptions.builder().maxHold(Duration.ofSeconds(31)).build();
        client.getLock("stock", bounded).tryLockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        backend.runtime.advanceMillis(10_001);
        backend.next("renew").done();

        client.close();

        assertThat(backend.releasedFields()).containsExactly(acquire.field());
    }

    @Test
    void anUnansweredRequestForAFixedLeaseIsUndone() {
        lock.tryLockAsync(0, 60, MINUTES, 1);
        Sent asked = backend.next("acquire");

        client.close();

        assertThat(backend.releasedFields()).containsExactly(asked.field());
    }

    @Test
    void aNodeThatHasNotAnsweredIsUndone() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        LockClient over = quorum.client("c");
        over.getLock("stock").withLease(Duration.ofHours(1)).acquireAsync();
        quorum.next(0, "propose").granted(ScriptedQuorum.TOKEN);
        quorum.next(1, "propose").granted(ScriptedQuorum.TOKEN);
        String field = quorum.next(2, "propose").field();

        over.close();

        assertThat(quorum.node(2).releasedFields()).containsExactly(field);
        assertThat(quorum.node(0).releasedFields()).isEmpty();
        assertThat(quorum.node(1).releasedFields()).isEmpty();
    }

    @Test
    void membersThatAreBeingCollectedAreReleased() {
        both().tryLockAsync(60, 60, MINUTES, 1);
        Sent first = backend.next("acquire");
        first.granted(7);
        Sent second = backend.next("acquire");

        client.close();

        assertThat(backend.releasedFields()).containsExactlyInAnyOrder(first.field(), second.field());
    }

    @Test
    void membersAreReleasedUntilAllAreHandedOut() {
        both().tryLockAsync(60, 60, MINUTES, 1);
        Sent first = backend.next("acquire");
        first.granted(7);
        Sent second = backend.next("acquire");
        // A step of its owner is under way at the first member, so that only the second is fixed at once.
        client.getLock("a").lockAsync(1);
        second.granted(8);

        client.close();

        assertThat(backend.releasedFields()).containsExactlyInAnyOrder(first.field(), second.field());
    }

    @Test
    void membersThatWereHandedOutAreLeft() {
        CompletableFuture<Boolean> call =
                both().tryLockAsync(60, 60, MINUTES, 1).toCompletableFuture();
        backend.next("acquire").granted(7);
        backend.next("acquire").granted(8);
        assertThat(call).isCompletedWithValue(true);

        client.close();

        backend.assertNothingOpen();
    }

    private RLock both() {
        return MultiLocks.of(List.of(client.getLock("a"), client.getLock("b")));
    }

    private String watchedThenFixed() {
        lock.lockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        lock.lockAsync(60, MINUTES, 1);
        backend.next("reenter").done();
        return acquire.field();
    }
}
