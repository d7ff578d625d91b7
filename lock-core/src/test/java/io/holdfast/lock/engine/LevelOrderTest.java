package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.RLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The levels of a hold that is entered again, with answers that get lost. */
class LevelOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(backend, ClientOptions.defaults(), "c");
    private final RLock lock = client.getLock("stock");

    @Test
    void aReentryThatIsSentAgainAsksForTheSameCount() {
        lock.lockAsync(1);
        backend.next("acquire").granted(1);
        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();
        assertThat(backend.next("reenter").args.get(1)).isEqualTo("2");
        backend.next("reenter").disconnected();

        backend.runtime.advanceMillis(50);

        assertThat(backend.next("reenter").args.get(1)).isEqualTo("2");
        backend.next("reenter").done();
        assertThat(again).isCompletedWithValue(true);
    }

    @Test
    void whenTheLastWatchedLevelGoesRenewalStops() {
        lock.lockAsync(30, SECONDS, 1);
        backend.next("acquire").granted(1);
        lock.lockAsync(1);
        backend.next("reenter").done();
        lock.unlockAsync(1);
        backend.next("release").done();

        backend.runtime.advanceMillis(25_000);

        backend.assertNothingOpen();
        assertThat(lock.isHeldByThread(1)).isTrue();
        backend.runtime.advanceMillis(5_000);
        assertThat(lock.isHeldByThread(1)).isFalse();
    }
}
