package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RSemaphore;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.key.PermitKeys;
import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Releases of an {@code RSemaphore} between whose requests and answers other things happen (rules 123, 124). */
class LostPermitOrderTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(
            backend, ClientOptions.builder().localHandOver(false).build(), "c");
    private final RSemaphore permits = client.getSemaphore("permits");

    LostPermitOrderTest() {
        backend.runtime.waitsBy(new Answering());
    }

    /** Another thread's release finds that the permit is lost, when what the client knew of the semaphore has made room for others. */
    @Test
    void itsTakerHearsOfALossThatAnotherReleaseFindsLate() throws InterruptedException {
        permits.tryAcquire();
        CompletableFuture<Void> others = releaseElsewhere();
        Sent late = backend.next("permit-part");
        makeRoom();
        CompletableFuture<Void> living = permits.acquireAsync().toCompletableFuture();
        latest().reply(1L, 8L, 0L);
        assertThat(living).isCompleted();

        late.gone();

        assertFailed(others, LockLostException.class);
        assertThatThrownBy(permits::release).isInstanceOf(LockLostException.class);
        backend.assertNothingOpen();
        permits.releaseAsync();
        backend.next("permit-part").reply(1L, 0L);
        assertThatThrownBy(permits::release).hasMessageContaining("this client holds 0");
    }

    private CompletableFuture<Void> releaseElsewhere() throws InterruptedException {
        CompletableFuture<Void> told = new CompletableFuture<>();
        Thread other = new Thread(() -> permits.releaseAsync().whenComplete((done, failure) -> {
            if (failure == null) {
                told.complete(done);
            } else {
                told.completeExceptionally(failure);
            }
        }));
        other.start();
        other.join();
        return told;
    }

    /** A lock rests in the place of the semaphore. */
    private void makeRoom() {
        int place = Cells.place(new PermitKeys(LockKeys.of("permits", LockOptions.defaults())));
        String name = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "other-" + i)
                .filter(other -> Cells.place(LockKeys.of(other, LockOptions.defaults())) == place)
                .findFirst()
                .orElseThrow();
        RLock other = client.getLock(name);
        other.lockAsync(1);
        latest().granted(7);
        other.unlockAsync(1);
        latest().done();
    }

    private Sent latest() {
        return backend.open().get(backend.open().size() - 1);
    }

    /** Waits by granting what the caller waits for. */
    private final class Answering implements Blocker {

        @Override
        public boolean mayWait() {
            return true;
        }

        @Override
        public void await(Awaited awaited) {
            if (!awaited.isDone()) {
                assertThat(latest().script()).isEqualTo("permit-join");
                latest().reply(1L, 7L, 0L);
            }
        }

        @Override
        public void unblock(Thread thread) {}
    }
}
