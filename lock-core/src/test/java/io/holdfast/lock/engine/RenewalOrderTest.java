package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What short leases on top of a watched hold do to its renewals: nothing. */
class RenewalOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");

    @Test
    void shortReentriesDoNotPutTheRenewalOff() {
        lock.lockAsync(1);
        backend.next("acquire").granted(1);
        for (int second = 0; second < 40; second++) {
            backend.runtime.advanceMillis(1_000);
            lock.tryLockAsync(0, 100, MILLISECONDS, 1);
            answerAll();
            lock.unlockAsync(1);
            answerAll();
        }
        assertThat(lock.isHeldByThread(1)).isTrue();
        assertThat(backend.sent).extracting(Sent::script).contains("renew");
    }

    @Test
    void shortExtensionsDoNotPutTheRenewalOff() {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        backend.next("acquire").granted(1);
        LockHold hold = call.join();
        for (int second = 0; second < 40; second++) {
            backend.runtime.advanceMillis(1_000);
            hold.extendAsync(Duration.ofMillis(100));
            answerAll();
        }
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    /** One round at a time: a server that is far away answers few of them. As much as 100,000 holds for 30 s. */
    @Test
    void manyHoldsAreRenewedInTimeByAServerThatIsFarAway() {
        LockOptions shortly =
                LockOptions.builder().watchdogLease(Duration.ofSeconds(3)).build();
        LockClient crowd = EngineClient.over(
                backend, ClientOptions.builder().lockOptions(shortly).build(), "crowd");
        List<RLock> locks = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            locks.add(crowd.getLock("stock:" + i));
            locks.get(i).lockAsync(1);
            backend.sent.get(i).granted(i + 1);
        }

        int answered = locks.size();
        Set<Integer> rounds = new TreeSet<>();
        for (int millis = 0; millis < 12_000; millis += 60) {
            backend.runtime.advanceMillis(60);
            int sent = backend.sent.size();
            rounds.add(sent - answered);
            for (; answered < sent; answered++) {
                backend.sent.get(answered).done();
            }
        }

        assertThat(locks).allMatch(held -> held.isHeldByThread(1));
        List<Integer> sizes = backend.sent.stream()
                .filter(sent -> sent.script().equals("renew"))
                .map(renewal -> renewal.keys.size())
                .toList();
        assertThat(sizes).as("what one script has room for").allMatch(size -> size <= 100);
        assertThat(rounds).as("no larger than they must be").contains(1, 5);
    }

    @Test
    void aHoldWhoseGrantWasLongOnItsWayIsRenewedAtOnce() {
        ClientOptions patient = ClientOptions.builder()
                .commandTimeout(Duration.ofSeconds(28))
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofSeconds(30))
                        .build())
                .build();
        RLock slow = EngineClient.over(backend, patient, "slow").getLock("stock");
        CompletableFuture<LockHold> call = slow.acquireAsync().toCompletableFuture();
        backend.runtime.advanceMillis(27_000);
        backend.next("acquire").granted(1);
        LockHold hold = call.join();
        backend.runtime.advanceMillis(1);
        backend.next("renew").done();
        backend.runtime.advanceMillis(5_000);
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
    }

    private void answerAll() {
        List.copyOf(backend.open()).forEach(Sent::done);
    }
}
