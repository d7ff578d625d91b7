package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.assertFailed;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls whose requests find no room in the queue wait for it, in their order, and do not poll (rule 81). */
class RoomOrderTest {

    private static final Duration OUTAGE = Duration.ofSeconds(5);

    private final ScriptedBackend backend = new ScriptedBackend();
    private final LockClient client = EngineClient.over(
            backend,
            ClientOptions.builder()
                    .commandTimeout(Duration.ofSeconds(1))
                    .maxOutage(OUTAGE)
                    .build(),
            "c");

    @BeforeEach
    void theQueueIsFull() {
        backend.places = 0;
    }

    private CompletableFuture<Void> lock(String name) {
        return client.getLock(name).lockAsync(1).toCompletableFuture();
    }

    private CompletableFuture<Boolean> tryLock(String name, long waitSeconds) {
        return client.getLock(name).tryLockAsync(waitSeconds, -1, SECONDS, 1).toCompletableFuture();
    }

    private List<String> asked() {
        return backend.sent.stream()
                .filter(sent -> sent.script().equals("acquire"))
                .map(sent -> sent.keys.get(0))
                .toList();
    }

    @Test
    void nothingIsTriedUntilThereIsRoom() {
        CompletableFuture<Void> call = lock("a");
        assertThat(backend.roomSeekers).hasSize(1);

        backend.places = 10;
        backend.runtime.advanceMillis(4_000);
        assertThat(asked()).isEmpty();
        backend.room(10);

        backend.next("acquire").granted(7);
        assertThat(call).isCompleted();
        assertThat(backend.roomSeekers).isEmpty();
    }

    @Test
    void theOldestCallsGoFirstAndAsManyAsThereArePlaces() {
        IntStream.range(0, 5).forEach(i -> lock("lock-" + i));
        assertThat(backend.roomSeekers).as("the client's one task").hasSize(1);

        backend.room(2);

        assertThat(asked()).containsExactly("holdfast:{lock-0}", "holdfast:{lock-1}");
        backend.room(3);
        assertThat(asked()).hasSize(5).endsWith("holdfast:{lock-4}");
    }

    @Test
    void whoComesLaterStandsInLine() {
        lock("first");
        backend.places = 1;

        lock("second");

        assertThat(asked()).isEmpty();
        backend.room(1);
        assertThat(asked()).containsExactly("holdfast:{first}");
    }

    @Test
    void whoFindsNoRoomOnceMoreKeepsItsPlace() {
        lock("first");
        backend.runtime.advanceMillis(1);
        lock("second");

        backend.roomSeekers.remove(0).accept(1);
        assertThat(asked()).as("somebody else had the place").isEmpty();
        backend.room(2);

        assertThat(asked()).containsExactly("holdfast:{first}", "holdfast:{second}");
    }

    @Test
    void aCallWithoutAWaitFailsAtOnce() {
        CompletableFuture<Boolean> call = tryLock("a", 0);

        assertFailed(call, LockUnavailableException.class);
        assertThat(call).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("QUEUE_FULL");
    }

    @Test
    void aWaitForRoomEndsAtTheCallsBound() {
        CompletableFuture<Boolean> limited = tryLock("a", 2);
        CompletableFuture<Void> unlimited = lock("b");
        backend.runtime.advanceMillis(3_000);
        assertFailed(limited, LockUnavailableException.class);
        assertThat(unlimited).isNotDone();

        backend.runtime.advanceMillis(OUTAGE.toMillis() - 3_000);

        assertFailed(unlimited, LockUnavailableException.class);
        backend.room(2);
        assertThat(asked()).isEmpty();
    }

    @Test
    void aCancelledCallLeavesTheLine() {
        CompletableFuture<Void> call = lock("first");
        lock("second");
        call.cancel(true);

        backend.room(1);

        assertThat(asked()).containsExactly("holdfast:{second}");
    }

    @Test
    void thoseInLineFailWhenTheClientIsClosed() {
        CompletableFuture<Void> call = lock("a");

        client.close();

        assertFailed(call, LockClientClosedException.class);
    }

    @Test
    void whatIsHeldNeedsNoRoom() {
        backend.places = 1;
        CompletableFuture<Void> held = lock("held");
        backend.next("acquire").granted(7);
        assertThat(held).isCompleted();

        backend.runtime.advanceMillis(10_000);
        backend.next("renew").done();
        client.getLock("held").unlockAsync(1);
        backend.next("release").done();
    }

    @Test
    void aRoundWaitsUntilAMajorityOfTheNodesHasRoom() {
        ScriptedQuorum quorum = new ScriptedQuorum(3);
        quorum.node(0).places = 0;
        quorum.node(1).places = 0;
        CompletableFuture<Void> call = quorum.lock().lockAsync(1).toCompletableFuture();
        quorum.next(2, "propose").granted(7);
        quorum.next(2, "release").done();
        assertThat(quorum.node(0).roomSeekers).hasSize(1);

        quorum.node(2).room(5);
        assertThat(quorum.count("propose")).isEqualTo(1);
        quorum.node(0).room(5);

        quorum.next(0, "propose").granted(7);
        quorum.next(2, "propose").granted(7);
        assertThat(call).isCompleted();
        quorum.open().forEach(Sent::done);
    }
}
