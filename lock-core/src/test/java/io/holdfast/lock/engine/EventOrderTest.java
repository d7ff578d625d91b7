package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.multi.MultiLocks;
import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What listeners hear of a call, and of its hold: each starts once and ends once, whichever way it goes. */
class EventOrderTest {

    /** Hears everything, each event with the number of its call. */
    private static final class Told implements LockListener {

        private final List<String> heard = new ArrayList<>();
        private int calls;

        @Override
        public Object started(String lockName) {
            heard.add(++calls + " started " + lockName);
            return calls;
        }

        @Override
        public void waiting(LockEvent event) {
            hear("waiting at " + event.position().orElseThrow(), event);
        }

        @Override
        public void acquired(LockEvent event) {
            hear(event.handedOver() ? "acquired, handed " + (event.isLocal() ? "on" : "over") : "acquired", event);
        }

        @Override
        public void reentered(LockEvent event) {
            hear("reentered " + event.fencingToken().orElseThrow(), event);
        }

        @Override
        public void refused(LockEvent event) {
            hear("refused", event);
        }

        @Override
        public void transferred(LockEvent event) {
            hear(event.isLocal() ? "transferred by itself" : "transferred", event);
        }

        @Override
        public void released(LockEvent event) {
            hear("released", event);
        }

        @Override
        public void renewed(LockEvent event) {
            hear("renewed", event);
        }

        @Override
        public void lost(LockEvent event) {
            hear("lost", event);
        }

        private void hear(String what, LockEvent event) {
            heard.add(event.context() + " " + what
                    + event.failureReason()
                            .map(FailureReason::name)
                            .map(" "::concat)
                            .orElse("")
                    + event.lossReason().map(LossReason::name).map(" "::concat).orElse(""));
        }
    }

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Told told = new Told();
    private final ManualRuntime runtime = new ManualRuntime(1);
    private final ScriptedBackend backend = new ScriptedBackend(runtime, "10.0.0.1");
    private final ScriptedBackend second = new ScriptedBackend(runtime, "10.0.0.2");
    private final LockClient client = client(backend, KeyScheme.HOLDFAST);
    private final RLock lock = client.getLock("stock");

    private LockClient client(ScriptedBackend server, KeyScheme scheme) {
        LockOptions options =
                LockOptions.builder().listener(told).keyScheme(scheme).build();
        return EngineClient.over(
                server, ClientOptions.builder().lockOptions(options).build(), "c");
    }

    @Test
    void aCallThatIsGranted() {
        RFuture<LockHold> call = lock.acquireAsync();
        backend.next("acquire").granted(7);
        ScriptedBackend.now(call.toCompletableFuture()).releaseAsync();
        backend.next("release").done();
        assertThat(told.heard).containsExactly("1 started stock", "1 acquired", "1 released");
    }

    @Test
    void aCallWithoutAWaitThatIsRefused() {
        lock.tryLockAsync(1);
        backend.next("acquire").refused(5_000);
        assertThat(told.heard).containsExactly("1 started stock", "1 refused HELD_BY_ANOTHER");
    }

    @Test
    void aCallWhoseWaitIsOver() {
        lock.tryLockAsync(100, -1, TimeUnit.MILLISECONDS, 1);
        backend.next("acquire").refused(5_000);
        runtime.advanceMillis(99);
        assertThat(told.heard).containsExactly("1 started stock", "1 waiting at 1");
        runtime.advanceMillis(1);
        assertThat(told.heard).containsExactly("1 started stock", "1 waiting at 1", "1 refused NOT_GRANTED");
    }

    @Test
    void aCallThatIsCancelledWhileItAsks() {
        RFuture<Void> call = lock.lockAsync(1);
        call.toCompletableFuture().cancel(true);
        assertThat(told.heard).containsExactly("1 started stock", "1 refused WITHDRAWN");
        backend.next("acquire").granted(7);
        assertThat(told.heard).hasSize(2);
    }

    @Test
    void aCallThatMeetsAFault() {
        lock.tryLockAsync(1);
        // Once with the key of the turns, once without it.
        backend.next("acquire").fault(Fault.Kind.NOPERM, false);
        backend.next("acquire").fault(Fault.Kind.NOPERM, false);
        assertThat(told.heard).containsExactly("1 started stock", "1 refused NOPERM");
    }

    @Test
    void callsOfAClosedClient() {
        lock.lockAsync(1);
        client.close();
        lock.lockAsync(2);
        assertThat(told.heard)
                .containsExactly(
                        "1 started stock", "1 refused CLIENT_CLOSED", "2 started stock", "2 refused CLIENT_CLOSED");
    }

    @Test
    void aReEntryHasAnEndOfItsOwnAndTheHoldThatOfTheFirst() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        lock.lockAsync(1);
        backend.next("reenter").done();
        lock.unlockAsync(1);
        backend.next("release").done();
        lock.unlockAsync(1);
        backend.next("release").done();
        assertThat(told.heard)
                .containsExactly("1 started stock", "1 acquired", "2 started stock", "2 reentered 7", "1 released");
    }

    @Test
    void aHandOverEndsTheOneHoldAndBeginsTheOther() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        lock.lockAsync(2);
        lock.unlockAsync(1);
        backend.next("transfer").granted(8);
        assertThat(told.heard)
                .containsExactly(
                        "1 started stock",
                        "1 acquired",
                        "2 started stock",
                        "2 waiting at 1",
                        "1 transferred",
                        "2 acquired, handed over");
    }

    @Test
    void aHandOverOfWhichTheServerIsNotAskedSaysSo() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        lock.lockAsync(2);
        lock.lockAsync(3);
        lock.unlockAsync(1);
        backend.next("transfer").handedOver(8, 256, Outcome.Others.NONE);
        told.heard.clear();

        lock.unlockAsync(2);

        assertThat(told.heard).containsExactly("2 transferred by itself", "3 acquired, handed on");
    }

    /** A dependent may see the loss before the step that brought the grant has told of it. */
    @Test
    void aLossThatIsSeenAtOnceIsToldBehindTheGrant() {
        RFuture<LockHold> call = lock.acquireAsync();
        call.thenAccept(hold -> {
            runtime.jumpMillis(2 * LEASE.toMillis());
            hold.state();
        });
        backend.next("acquire").granted(7);
        assertThat(told.heard).containsExactly("1 started stock", "1 acquired", "1 lost NOT_RENEWED");
    }

    @Test
    void aReleaseThatIsNotConfirmedIsAnEndAsWell() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        lock.unlockAsync(1);
        // Once with the key of the turns, once without it.
        backend.next("release").fault(Fault.Kind.NOPERM, false);
        backend.next("release").fault(Fault.Kind.NOPERM, false);
        assertThat(told.heard).containsExactly("1 started stock", "1 acquired", "1 released NOPERM");
    }

    // --- a MultiLock ---

    private RLock both(KeyScheme scheme) {
        return MultiLocks.of(List.of(
                client(backend, scheme).getLock("a"), client(second, scheme).getLock("b")));
    }

    @Test
    void membersAreAcquiredWhenTheCallHasAllOfThem() {
        RLock both = both(KeyScheme.HOLDFAST);
        both.lockAsync(1);
        backend.next("acquire").granted(7);
        assertThat(told.heard).containsExactly("1 started a", "2 started b");
        second.next("acquire").granted(8);
        both.unlockAsync(1);
        second.next("release").done();
        backend.next("release").done();
        assertThat(told.heard)
                .containsExactly("1 started a", "2 started b", "1 acquired", "2 acquired", "2 released", "1 released");
    }

    @Test
    void allMembersOfACallAreRefusedWithIt() {
        both(KeyScheme.HOLDFAST).tryLockAsync(1);
        backend.next("acquire").granted(7);
        second.next("acquire").refused(5_000);
        backend.next("release").done();
        assertThat(told.heard)
                .containsExactly(
                        "1 started a", "2 started b", "1 refused HELD_BY_ANOTHER", "2 refused HELD_BY_ANOTHER");
    }

    @Test
    void givingWayIsNotTold() {
        both(KeyScheme.REDISSON).lockAsync(1);
        Sent taken = backend.next("acquire");
        taken.granted(7);
        second.next("acquire").refused(5_000);
        second.topic().confirm();
        second.next("acquire").refused(5_000);
        runtime.advanceMillis(300);
        backend.next("release").done();
        second.next("acquire").granted(8);
        backend.next("acquire").granted(9);
        assertThat(told.heard)
                .containsExactly("1 started a", "2 started b", "2 waiting at 1", "2 acquired", "1 acquired");
    }

    @Test
    void aCallThatIsGivenUpRefusesEachMemberOnce() {
        RFuture<Void> call = both(KeyScheme.HOLDFAST).lockAsync(1);
        backend.next("acquire").granted(7);
        call.toCompletableFuture().cancel(true);
        assertThat(told.heard)
                .containsExactly("1 started a", "2 started b", "1 refused WITHDRAWN", "2 refused WITHDRAWN");
    }
}
