package io.holdfast.lock.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Bounds of hand-overs, and pauses for others, where the server says nothing of turns (rule 30): with Redisson's keys. */
class CourtesyOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockOptions shared =
            LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
    private final RLock lock =
            EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock", shared);

    @Test
    void afterThirtyTwoHandOversTheLockIsReallyReleased() {
        hold();
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        for (int thread = 2; thread <= 35; thread++) {
            waiters.add(waiter(thread));
        }

        for (int thread = 1; thread <= 32; thread++) {
            unlock(thread);
            backend.next("transfer").granted(100 + thread);
            assertThat(lock.isHeldByThread(thread + 1)).isTrue();
        }
        unlock(33);

        backend.next("release").done();
        Sent attempt = backend.next("acquire");
        assertThat(attempt.field()).startsWith("c:34:");
        attempt.granted(200);
        unlock(34);
        backend.next("transfer");
    }

    @Test
    void aRunOfHandOversIsBoundedInTimeToo() {
        hold();
        waiter(2);
        waiter(3);
        backend.runtime.jumpMillis(49);
        unlock(1);
        backend.next("transfer").granted(8);
        backend.runtime.jumpMillis(2);
        unlock(2);

        assertThat(backend.next("release").args.get(1)).isEqualTo("0");
    }

    @Test
    void afterAReleaseForOthersTheHeadWaitsUntilTheyHaveHeard() {
        hold();
        waiter(2);
        backend.topic().confirm();
        backend.runtime.jumpMillis(60);
        unlock(1);
        backend.next("release").reply(1L, 2L);

        backend.assertNothingOpen();
        backend.runtime.advanceMillis(11);
        assertThat(backend.next("acquire").field()).startsWith("c:2:");
    }

    @Test
    void whoHadTheLockLetsOthersGoFirstWhenItsReleaseIsTold() {
        hold();
        waiter(2);
        backend.topic().confirm();
        backend.runtime.jumpMillis(60);
        unlock(1);
        backend.next("release").reply(1L, 2L);

        backend.topic().publish();

        backend.runtime.advanceMillis(4);
        backend.assertNothingOpen();
        backend.runtime.advanceMillis(1);
        assertThat(backend.next("acquire").field()).startsWith("c:2:");
    }

    @Test
    void whoHasHeardTheOtherGiveTheLockBackAsksAtOnce() {
        hold();
        waiter(2);
        backend.topic().confirm();
        backend.runtime.jumpMillis(60);
        unlock(1);
        backend.next("release").reply(1L, 2L);
        backend.topic().publish();

        backend.topic().publish();

        assertThat(backend.next("acquire").field()).startsWith("c:2:");
    }

    private Sent hold() {
        lock.tryLockAsync(1);
        Sent acquire = backend.next("acquire");
        acquire.granted(7);
        return acquire;
    }

    private CompletableFuture<Boolean> waiter(long threadId) {
        return lock.tryLockAsync(60, -1, SECONDS, threadId).toCompletableFuture();
    }

    private CompletableFuture<Void> unlock(long threadId) {
        return lock.unlockAsync(threadId).toCompletableFuture();
    }
}
