package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedQuorum.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Two kinds of one lock over three nodes. */
class QuorumKindTest {
    private final ScriptedQuorum quorum = new ScriptedQuorum(3);
    private final RLock shared =
            ((EngineClient) quorum.client("c")).getLock("stock", LockOptions.defaults(), ShareKind.KIND);

    @Test
    void twoGrantsToOneOwnerLeaveOneFieldAtEachNode() {
        CompletableFuture<Boolean> first = shared.tryLockAsync(1).toCompletableFuture();
        CompletableFuture<Boolean> second = shared.tryLockAsync(1).toCompletableFuture();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3; i++) {
                quorum.next(i, "propose").granted(TOKEN + round);
            }
        }
        quorum.doneAll();
        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(shared.getHoldCountAsync(1).toCompletableFuture()).isCompletedWithValue(2);
        shared.unlockAsync(1);
        quorum.doneAll();
        assertThat(shared.isHeldByThread(1)).isTrue();
        shared.unlockAsync(1);
        quorum.doneAll();
        assertThat(shared.isHeldByThread(1)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(quorum.node(i).releasedFields())
                    .containsAll(quorum.node(i).grantedFields());
        }
        quorum.runtime.advanceMillis(60_000);
        quorum.assertNothingOpen();
    }
}
