package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.ScriptedBackend.Sent;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.kind.Reentrant;
import io.holdfast.lock.engine.lock.EngineLock;
import io.holdfast.lock.spi.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is tried again reads the state of its lock, which belongs to whoever is within the lock's gate. */
class ExchangeGateTest {

    private static final long LONGEST_FIRST_PAUSE_MILLIS = 30;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Engine engine = new Engine(List.of(backend), true, ClientOptions.defaults(), null, "c");
    private final LockKeys names = LockKeys.of("stock", LockOptions.defaults());
    private final EngineLock lock = new EngineLock(engine, new Terms(Reentrant.KIND, LockOptions.defaults()), names);

    @Test
    void aStepIsTriedAgainWhenNobodyIsWithinItsGate() {
        RFuture<Void> release = pausedRelease();
        List<Sent> sentMeanwhile = new ArrayList<>();

        engine.cells().cell(names).run(() -> {
            backend.runtime.advanceMillis(LONGEST_FIRST_PAUSE_MILLIS);
            sentMeanwhile.addAll(backend.open());
        });

        assertThat(sentMeanwhile).isEmpty();
        backend.next("release").done();
        now(release.toCompletableFuture());
    }

    @Test
    void soIsTheLastTryOfAClientThatIsBeingClosed() {
        RFuture<Void> release = pausedRelease();
        List<Sent> sentMeanwhile = new ArrayList<>();
        List<CompletableFuture<Void>> ended = new ArrayList<>();

        engine.cells().cell(names).run(() -> {
            ended.add(engine.exchanges().endPauses());
            sentMeanwhile.addAll(backend.open());
            assertThat(ended.get(0)).as("the stores are closed only then").isNotDone();
        });

        assertThat(sentMeanwhile).isEmpty();
        assertThat(ended.get(0)).isDone();
        backend.next("release").done();
        now(release.toCompletableFuture());
    }

    /** A release that waits before it is tried again. */
    private RFuture<Void> pausedRelease() {
        lock.lockAsync(1);
        backend.next("acquire").granted(7);
        RFuture<Void> release = lock.unlockAsync(1);
        backend.next("release").fault(Fault.Kind.BUSY, false);
        backend.assertNothingOpen();
        return release;
    }
}
