package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.multi.MultiLocks;
import io.holdfast.lock.engine.multi.RedLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** RedLocks over sets of clients: one set is one lock, in whatever order it is named; sets that overlap exclude each other. */
class RedLockSetsTest {

    private static final long OWNER = 1;

    private final ScriptedQuorum nodes = new ScriptedQuorum(5);
    private final List<LockClient> clients = new ArrayList<>();

    RedLockSetsTest() {
        for (ScriptedBackend node : nodes.nodes) {
            clients.add(EngineClient.over(node, ClientOptions.defaults(), "client " + node.describe()));
        }
    }

    @Test
    void theSameSetInAnotherOrderIsTheSameLock() {
        take(over(0, 1, 2));
        CompletableFuture<Void> inner = over(1, 2, 0).lockAsync(OWNER).toCompletableFuture();
        for (int i = 0; i < 3; i++) {
            nodes.next(i, "reenter").done();
        }
        assertThat(inner).isCompleted();
        assertThat(over(2, 0, 1).isHeldByThread(OWNER)).isTrue();
        assertThat(over(2, 0, 1)).extracting(RLock::getName).isEqualTo("stock");
    }

    @Test
    void aLockThatIsCalledDifferentlyAtEachNodeKeepsItsNames() {
        RLock one = RedLocks.of(List.of(lock(0, "x"), lock(1, "y"), lock(2, "z")), QuorumOptions.defaults());
        RLock same = RedLocks.of(List.of(lock(2, "z"), lock(0, "x"), lock(1, "y")), QuorumOptions.defaults());
        take(one);
        assertThat(same.isHeldByThread(OWNER)).isTrue();
        assertThat(List.of(one.getName(), same.getName())).containsOnly("x+y+z");
        RLock other = RedLocks.of(List.of(lock(2, "x"), lock(0, "y"), lock(1, "z")), QuorumOptions.defaults());
        assertThat(other.isHeldByThread(OWNER)).isFalse();
    }

    @Test
    void itsMembersTakeTurns() {
        RLock lock = over(0, 1, 2);
        take(lock);

        lock.unlockAsync(OWNER);

        assertThat(nodes.open()).hasSize(3).allSatisfy(release -> {
            assertThat(release.script()).isEqualTo("release");
            assertThat(release.keys).anyMatch(key -> key.endsWith(":turns"));
        });
    }

    /** As while its members move to Redisson's keys, or away from them, one after the other. */
    @Test
    void besideAMemberOnRedissonsKeysNoneTakesTurns() {
        LockOptions shared = LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        RLock onRedissonsKeys = clients.get(0).getLock("stock", shared);
        RLock lock =
                RedLocks.of(List.of(onRedissonsKeys, lock(1, "stock"), lock(2, "stock")), QuorumOptions.defaults());

        lock.lockAsync(OWNER);

        assertThat(nodes.open()).hasSize(3).allSatisfy(asked -> {
            assertThat(asked.script()).isEqualTo("propose");
            assertThat(asked.keys).noneMatch(key -> key.endsWith(":turns"));
        });
    }

    @Test
    void oneSetHasOneSetOfOptions() {
        over(0, 1, 2);
        assertThatThrownBy(() -> RedLocks.of(
                        List.of(lock(2, "other"), lock(1, "other"), lock(0, "other")),
                        QuorumOptions.builder().fencing(false).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RedLock: the clients of a, b, c have a RedLock with QuorumOptions")
                .hasMessageContaining("expected: the same options");
    }

    @Test
    void anotherSetThatHasNoMajorityLeftIsRefused() {
        take(over(0, 1, 2));
        RLock inner = over(0, 1, 3);
        assertThatThrownBy(() -> inner.lockAsync(OWNER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lock 'stock': thread 1 holds it at so many of a, b, d by another RedLock")
                .hasMessageContaining("would wait for itself");
        nodes.assertNothingOpen();
        inner.lockAsync(OWNER + 1);
        assertThat(nodes.open()).as("the requests of another owner").hasSize(3);
    }

    @Test
    void anotherSetThatHasAMajorityLeftIsAsked() {
        take(over(0, 1, 2));
        over(0, 3, 4).lockAsync(OWNER);
        assertThat(nodes.open()).hasSize(3);
    }

    @Test
    void anotherNameOverAnOverlappingSetIsAsked() {
        take(over(0, 1, 2));
        RedLocks.of(List.of(lock(0, "other"), lock(1, "other"), lock(3, "other")), QuorumOptions.defaults())
                .lockAsync(OWNER);
        assertThat(nodes.open()).hasSize(3);
    }

    /** Handles are numbered by each engine for itself, so equal numbers are not one owner. */
    @Test
    void aHandleOfAMemberIsAnotherOwner() {
        lock(0, "stock").acquireAsync();
        nodes.next(0, "acquire").granted(TOKEN);
        over(0, 1, 2).acquireAsync();
        assertThat(nodes.open()).hasSize(3);
    }

    // --- as members of a MultiLock ---

    @Test
    void membersThatWouldWaitForEachOtherAreRefused() {
        RLock three = over(0, 1, 2);
        for (RLock other : List.of(over(0, 1, 3), lock(0, "stock"))) {
            assertThatThrownBy(() -> MultiLocks.of(List.of(three, other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("MultiLock: lock 'stock'");
        }
        MultiLocks.of(List.of(three, over(0, 3, 4)));
        MultiLocks.of(List.of(three, lock(0, "other")));
    }

    @Test
    void aMultiLockRefusesWhatItsMemberRefuses() {
        take(over(0, 1, 2));
        RLock both = MultiLocks.of(List.of(over(0, 1, 3), lock(4, "another")));
        assertThatThrownBy(() -> both.lockAsync(OWNER)).isInstanceOf(IllegalStateException.class);
        nodes.assertNothingOpen();
    }

    private void take(RLock lock) {
        lock.lockAsync(OWNER);
        nodes.open().forEach(asked -> asked.granted(TOKEN));
        assertThat(lock.isHeldByThread(OWNER)).isTrue();
    }

    private RLock over(int... indexes) {
        return RedLocks.of(
                IntStream.of(indexes).mapToObj(index -> lock(index, "stock")).toList(), QuorumOptions.defaults());
    }

    private RLock lock(int index, String name) {
        return clients.get(index).getLock(name);
    }
}
