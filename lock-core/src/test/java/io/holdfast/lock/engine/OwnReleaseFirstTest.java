package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static io.holdfast.lock.engine.ScriptedBackend.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.hold.Cells;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A call for a lock, and what its client has yet to release there: that is sent first (rule 134). */
class OwnReleaseFirstTest {

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(
            backend,
            ClientOptions.builder().commandTimeout(Duration.ofSeconds(1)).build(),
            "c");
    private final RLock lock = client.getLock("stock");

    @Test
    void aReleaseThatPausesGoesAheadOfTheNextRequest() {
        String released = pausedRelease();

        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();

        takesTheLockBehind(released, again);
    }

    @Test
    void soItDoesWhenItsCellWasRetired() {
        String released = pausedRelease();
        RLock other = client.getLock(nameInThePlaceOf("stock"));
        other.lockAsync(1);
        backend.next("acquire").granted(8);
        other.unlockAsync(1);
        backend.next("release").done();

        CompletableFuture<Boolean> again = lock.tryLockAsync(1).toCompletableFuture();

        takesTheLockBehind(released, again);
    }

    /** Else each request would add a chain of tries of its own. */
    @Test
    void aPauseThatWasEndedEarlyIsNotEndedAgainByItsTimer() {
        pausedRelease();
        for (int request = 0; request < 30; request++) {
            lock.tryLockAsync(1);
            failReleases();
        }
        int tries = 0;
        for (int i = 0; i < 300; i++) {
            backend.runtime.advanceMillis(10);
            tries += failReleases();
        }
        assertThat(tries).isBetween(1, 10);
    }

    /** Faults of the releases that are open, and refusals of all else. */
    private int failReleases() {
        int releases = 0;
        for (Sent sent : backend.open()) {
            if (sent.script().equals("release")) {
                releases++;
                sent.fault(Fault.Kind.UNREACHABLE, false);
            } else {
                sent.refused(5_000);
            }
        }
        return releases;
    }

    private void takesTheLockBehind(String released, CompletableFuture<Boolean> again) {
        List<Sent> open = backend.open();
        assertThat(open).extracting(Sent::script).containsExactly("release", "acquire");
        assertThat(open.get(0).field())
                .isEqualTo(released)
                .isNotEqualTo(open.get(1).field());
        open.get(0).done();
        open.get(1).granted(9);
        assertThat(now(again)).isTrue();
    }

    /** The field of a hold whose release could not be sent, and is to be tried again after a pause. */
    private String pausedRelease() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        CompletableFuture<Void> unlock = lock.unlockAsync(1).toCompletableFuture();
        while (!unlock.isDone()) {
            backend.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
            backend.runtime.advanceMillis(10);
        }
        backend.open().forEach(sent -> sent.fault(Fault.Kind.UNREACHABLE, false));
        assertFailed(unlock, LockException.class);
        backend.assertNothingOpen();
        return backend.grantedFields().get(0);
    }

    private static String nameInThePlaceOf(String name) {
        int place = place(name);
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "other-" + i)
                .filter(other -> place(other) == place)
                .findFirst()
                .orElseThrow();
    }

    private static int place(String name) {
        return Cells.place(LockKeys.of(name, LockOptions.defaults()));
    }
}
