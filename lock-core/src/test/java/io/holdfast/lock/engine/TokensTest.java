package io.holdfast.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.spi.UnexpectedReplyException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A grant with a token that no script gives is no grant; it is the transport's to say so. */
class TokensTest {
    private final ScriptedBackend backend = new ScriptedBackend();

    @Test
    void anAcquireIsNotGrantedUnderSuchAToken() {
        RLock lock = EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();

        assertRefused(backend.next("acquire"), -1);
        assertThat(call).isNotDone();
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    /** An earlier request took the lock while its slot was being moved; what it lacks is a token (rule 99). */
    @Test
    void aLockThatWasTakenWithoutATokenGetsOneFirst() {
        RLock lock = EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();

        backend.next("acquire").granted(0);
        assertThat(call).isNotDone();
        backend.next("mint").reply(7L);
        assertThat(call).isNotDone();
        backend.next("confirm").reply(7L);
        assertThat(call.join().fencingToken()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void aTransferIsNotGrantedUnderSuchAToken(long token) {
        RLock lock = EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        CompletableFuture<Void> next = lock.lockAsync(2).toCompletableFuture();
        lock.unlockAsync(1);

        assertRefused(backend.next("transfer"), token);
        assertThat(next).isNotDone();
        assertThat(lock.isHeldByThread(2)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void aNodeOfAQuorumDoesNotGrantUnderSuchAToken(long token) {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        RLock lock = quorum.lock();
        CompletableFuture<Boolean> call = lock.tryLockAsync(1).toCompletableFuture();

        quorum.next(0, "propose").granted(ScriptedQuorum.TOKEN);
        assertRefused(quorum.next(1, "propose"), token);
        assertThat(call).isNotDone();
        assertThat(lock.isHeldByThread(1)).isFalse();
    }

    private static void assertRefused(Sent request, long token) {
        assertThatThrownBy(() -> request.granted(token))
                .isInstanceOf(UnexpectedReplyException.class)
                .hasMessage("token: " + token + " (expected: > 0)");
    }
}
