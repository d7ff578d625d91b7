package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How locks are renewed that a server in cluster mode keeps in many slots (rule 23). */
class ClusterRenewalTest {

    private static final int LOCKS = 400;
    private static final int LEASE_MILLIS = 30_000;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");

    @Test
    void aBatchHasLocksOfOneSlotOnly() {
        backend.inCluster = true;
        List<RLock> locks = held(LOCKS);
        answer(4 * LEASE_MILLIS);
        assertThat(renewals()).isNotEmpty().allSatisfy(renewal -> assertThat(renewal.slots())
                .hasSize(1));
        assertThat(locks).allMatch(lock -> lock.isHeldByThread(1));
    }

    @Test
    void locksOfOneSlotShareABatch() {
        backend.inCluster = true;
        RLock first = client.getLock("stock:0");
        int slot = LockKeys.of("stock:0", ClientOptions.defaults().lockOptions()).slot;
        int number = 1;
        while (LockKeys.of("stock:" + number, ClientOptions.defaults().lockOptions()).slot != slot) {
            number++;
        }
        first.lockAsync(1);
        client.getLock("stock:" + number).lockAsync(1);
        answerOpen();
        backend.reconnected();
        assertThat(backend.next("renew").keys).hasSize(2);
    }

    @Test
    void aNodeHasTheLocksOfOneRoundInFlightAtMost() {
        backend.inCluster = true;
        held(LOCKS);
        backend.reconnected();
        assertThat(locksInFlight()).isEqualTo(100);
        backend.open().subList(1, backend.open().size()).forEach(Sent::done);
        assertThat(backend.open())
                .as("one without an answer keeps the next round back")
                .hasSize(1);
        backend.open().get(0).done();
        assertThat(locksInFlight()).isEqualTo(100);
    }

    /** Their shards are equal: slots. */
    @Test
    void nodesOfAQuorumHaveLanesOfTheirOwn() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        quorum.nodes.forEach(node -> node.inCluster = true);
        RLock lock = quorum.lock();
        lock.lockAsync(1);
        quorum.grantAll();
        quorum.doneAll();
        quorum.runtime.advanceMillis(LEASE_MILLIS / 3);
        quorum.each("renew", Sent::done);
        assertThat(lock.isHeldByThread(1)).isTrue();
    }

    /** A server behind an address may be replaced by one in cluster mode. */
    @Test
    void aRoundIsMadeForTheServerThatIsThereNow() {
        held(LOCKS);
        backend.reconnected();
        assertThat(backend.next("renew").keys).hasSize(100);
        backend.inCluster = true;
        backend.next("renew").disconnected();
        assertThat(backend.open())
                .allSatisfy(renewal -> assertThat(renewal.slots()).hasSize(1));
    }

    /** Something in between may hide the mode. */
    @Test
    void aServerThatRefusesSeveralSlotsIsAskedSlotBySlot() {
        List<RLock> locks = held(LOCKS);
        for (int millis = 0; millis < 4 * LEASE_MILLIS; millis += 10) {
            backend.runtime.advanceMillis(10);
            for (Sent call : backend.open()) {
                if (call.slots().size() > 1) {
                    call.fault(Fault.Kind.CROSSSLOT, false);
                } else {
                    call.done();
                }
            }
        }
        assertThat(locks).allMatch(lock -> lock.isHeldByThread(1));
        assertThat(renewals().stream().filter(renewal -> renewal.slots().size() > 1))
                .as("batches over several slots")
                .hasSizeLessThanOrEqualTo(1);
    }

    private List<RLock> held(int number) {
        List<RLock> locks = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            locks.add(client.getLock("stock:" + i));
            locks.get(i).lockAsync(1);
            backend.next("acquire").granted(i + 1);
        }
        return locks;
    }

    private void answer(int forMillis) {
        for (int millis = 0; millis < forMillis; millis += 10) {
            backend.runtime.advanceMillis(10);
            answerOpen();
        }
    }

    private void answerOpen() {
        for (Sent call : backend.open()) {
            if (call.script().equals("acquire")) {
                call.granted(1);
            } else {
                call.done();
            }
        }
    }

    private List<Sent> renewals() {
        return backend.sent.stream()
                .filter(call -> call.script().equals("renew"))
                .toList();
    }

    private int locksInFlight() {
        return backend.open().stream().mapToInt(renewal -> renewal.keys.size()).sum();
    }
}
