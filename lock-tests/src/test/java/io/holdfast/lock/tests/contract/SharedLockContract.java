package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Party;
import io.holdfast.lock.tests.support.Site;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What a lock must do that several owners share. Party {@code a} shares it and the others want it for themselves, so that
 * every row of the contract holds for it; the rows here have several owners that share it.
 */
abstract class SharedLockContract extends ReentrantLockContract {

    SharedLockContract() {
        super(LockCase.SHARED);
    }

    @Override
    final List<String> keys() {
        return List.of(key(), key() + ":until");
    }

    private Party sharing(Site of) {
        return party(of, NAME, options());
    }

    private RLock shared() {
        return lock(client, NAME, options());
    }

    @Test
    void ownersOfOneClientAndOfTwoHoldItTogether() throws Exception {
        List<Party> sharers = List.of(a, sharing(client), sharing(other));
        for (Party each : sharers) {
            assertThat(each.tryLock()).isTrue();
        }
        assertThat(sharers).allMatch(Party::holds);
        for (Party each : sharers) {
            assertThat(b.tryLock()).isFalse();
            assertThat(c.tryLock(Duration.ofMillis(30))).isFalse();
            each.unlock();
        }
        assertThat(c.tryLock()).isTrue();
        assertThat(a.tryLock()).isFalse();
        c.unlock();
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    @Test
    void thoseWhoWaitToShareItEnterTogether() throws Exception {
        List<Party> sharers = List.of(a, sharing(client), sharing(client), sharing(other));
        b.lock();
        List<Future<Boolean>> waiting = sharers.stream()
                .map(each -> ground.elsewhere(() -> each.tryLock(LONG)))
                .toList();
        eventually(() -> assertThat(waiters()).isGreaterThanOrEqualTo(sharers.size()));
        b.unlock();
        assertThat(waiting).allMatch(ground::get);
        assertThat(sharers).allMatch(Party::holds);
        sharers.forEach(Party::unlock);
    }

    @Test
    void theLastOfThemWakesOneWhoWantsItAlone() throws Exception {
        Party second = sharing(other);
        a.lock();
        second.lock();
        Future<Boolean> waiting = ground.elsewhere(() -> b.tryLock(LONG));
        eventually(() -> assertThat(waiters()).isEqualTo(1));
        a.unlock();
        assertThat(waiting).isNotDone();
        second.unlock();
        assertThat(ground.get(waiting)).isTrue();
        b.unlock();
    }

    /** As a read lock's holder is lost whose own lease ran out. */
    @Test
    void theLossOfOneSparesTheOthers() throws Exception {
        Party second = sharing(client);
        a.lock();
        String field = holders().get(0);
        second.lock();
        eventually(() -> assertThat(holders()).hasSize(2));
        ground.nodes().forEach(each -> each.deleteField(key(), field));
        assertThatThrownBy(a::lock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(a::unlock).isInstanceOf(LockLostException.class);
        second.lock();
        assertThat(second.holdCount()).isEqualTo(2);
        assertThat(b.tryLock()).isFalse();
        second.unlock();
        second.unlock();
    }

    private List<String> holders() {
        return ground.nodes().get(0).hash(key()).keySet().stream()
                .filter(field -> !field.equals("token"))
                .toList();
    }

    @Test
    void tokensGrowThoughSeveralHoldItTogether() throws Exception {
        LockHold alone = lock(client).acquire();
        alone.close();
        try (LockHold first = shared().acquire();
                LockHold second = lock(other, NAME, options()).acquire()) {
            assertThat(List.of(alone, first, second))
                    .extracting(LockHold::fencingToken)
                    .isSorted()
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void renewalsOfBothKindsGoOnInOneClient() throws Exception {
        LockOptions watched =
                options().toBuilder().watchdogLease(Duration.ofMillis(1_000)).build();
        Party sharer = party(client, "shared", watched);
        Party plain = keep(form.party(client.lock("plain", watched), ground));
        Party rival = keep(form.party(other.lock("shared", watched), ground));
        sharer.lock();
        plain.lock();
        assertThat(rival.tryLock(Duration.ofMillis(1_500))).isFalse();
        assertThat(sharer.holds()).isTrue();
        assertThat(plain.holds()).isTrue();
        sharer.unlock();
        plain.unlock();
    }

    @Test
    void anOwnerThatHoldsItAloneReentersToShareIt() {
        RLock alone = lock(client);
        alone.lock();
        assertThat(shared().tryLock()).isTrue();
        assertHeld(2);
        shared().unlock();
        assertHeld(1);
        alone.unlock();
    }

    @Test
    void anOwnerThatSharesItCannotWaitForItself() {
        RLock alone = lock(client);
        shared().lock();
        for (RFuture<?> call : List.of(alone.tryLockAsync(), alone.lockAsync())) {
            assertThatThrownBy(() -> ground.get(call.toCompletableFuture()))
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("holds it as shared and asks for it as exclusive")
                    .hasMessageContaining("would wait for itself");
        }
        assertThatThrownBy(alone::lock).isInstanceOf(IllegalMonitorStateException.class);
        shared().unlock();
        assertThat(alone.tryLock()).isTrue();
        alone.unlock();
    }

    @Test
    void aCallThatWaitsForItsOwnersShareIsRefused() throws Exception {
        RLock alone = lock(client);
        b.lock();
        RFuture<Void> share = shared().lockAsync(7);
        RFuture<Void> whole = alone.lockAsync(7);
        eventually(() -> assertThat(waiters()).isGreaterThanOrEqualTo(2));
        b.unlock();
        ground.get(share.toCompletableFuture());
        assertThatThrownBy(() -> ground.get(whole.toCompletableFuture()))
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("would wait for itself");
        ground.get(shared().unlockAsync(7).toCompletableFuture());
    }
}
