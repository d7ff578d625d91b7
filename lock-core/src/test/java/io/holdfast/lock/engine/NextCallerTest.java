package io.holdfast.lock.engine;

import static io.holdfast.lock.engine.ScriptedBackend.now;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import io.holdfast.lock.engine.step.Outcome.Others;
import io.holdfast.lock.spi.Awaited;
import io.holdfast.lock.spi.Blocker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A thread that gives back a hot lock looks for a moment whether another call comes for it. */
class NextCallerTest {

    /** Threads that are none of the test's own, whatever numbers a JVM gives these. */
    private static final long BEFORE = 1_000_002;

    private static final long NEXT = 1_000_003;

    private final ScriptedBackend backend = new ScriptedBackend();
    private final Looking looking = new Looking();
    private final RLock lock;

    NextCallerTest() {
        backend.runtime.waitsBy(looking);
        lock = EngineClient.over(backend, ClientOptions.defaults(), "c").getLock("stock");
    }

    @Test
    void theLockIsHandedToACallThatComesMeanwhile() {
        handedOver();
        looking.each = () -> {
            if (looking.looks == 3) {
                lock.tryLockAsync(60, -1, SECONDS, NEXT);
            }
        };

        lock.unlock();

        assertThat(looking.looks).isEqualTo(3);
        assertThat(lock.isHeldByThread(NEXT)).isTrue();
        backend.assertNothingOpen();
    }

    @Test
    void thereIsAnEndToTheLooks() {
        handedOver();

        lock.unlock();

        assertThat(looking.looks).isEqualTo(20);
    }

    /** Threads that have nothing to do with the lock had the processor. */
    @Test
    void aLookThatTookLongIsTheLastUntilTheLockIsHandedOverAgain() {
        handedOver();
        looking.each = () -> backend.runtime.jumpMillis(1);
        lock.unlock();
        assertThat(looking.looks).isOne();

        lock.tryLockAsync();
        backend.next("acquire").handedOver(400, 16, Others.NONE);
        lock.unlock();
        assertThat(looking.looks).isOne();

        handedOver();
        lock.unlock();
        assertThat(looking.looks).isEqualTo(2);
    }

    @Test
    void aLockThatWasNotHandedOverLatelyIsGivenBackAtOnce() {
        handedOver();
        backend.runtime.jumpMillis(1_000);
        lock.unlock();

        assertThat(looking.looks).isZero();
    }

    @Test
    void aLockThatWaitedForNoOtherCallIsGivenBackAtOnce() {
        lock.tryLockAsync();
        backend.next("acquire").granted(7);
        lock.unlock();

        assertThat(looking.looks).isZero();
    }

    @Test
    void aReleaseOnAnotherThreadMeanwhileIsNotDoneBeforeItIsSent() {
        CompletableFuture<Optional<LockHold>> waiting =
                lock.tryAcquireAsync(Duration.ofSeconds(60)).toCompletableFuture();
        backend.next("acquire").granted(7);
        LockHold first = holdOf(waiting);
        waiting = lock.tryAcquireAsync(Duration.ofSeconds(60)).toCompletableFuture();
        first.releaseAsync();
        backend.next("transfer").handedOver(100, 256, Others.NONE);
        LockHold hold = holdOf(waiting);
        List<CompletableFuture<Void>> elsewhere = new ArrayList<>();
        looking.each = () -> {
            if (elsewhere.isEmpty()) {
                elsewhere.add(hold.releaseAsync().toCompletableFuture());
            }
        };

        hold.release();

        assertThat(elsewhere.get(0)).isNotDone();
        backend.next("release").done();
        assertThat(elsewhere.get(0)).isCompleted();
    }

    /** The lock goes from the thread before to this thread, and no other call waits. */
    private void handedOver() {
        lock.tryLockAsync(BEFORE);
        backend.open().forEach(acquire -> acquire.handedOver(7, 1, Others.NONE));
        lock.tryLockAsync(60, -1, SECONDS, Thread.currentThread().getId());
        lock.unlockAsync(BEFORE);
        backend.open().forEach(transfer -> transfer.handedOver(100, 256, Others.NONE));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
    }

    private static LockHold holdOf(CompletableFuture<Optional<LockHold>> call) {
        return now(call).orElseThrow();
    }

    /** Counts how often a thread gives way; the server answers as soon as one waits. */
    private final class Looking implements Blocker {

        private int looks;
        private Runnable each = () -> {};

        @Override
        public boolean mayWait() {
            return true;
        }

        @Override
        public void giveWay() {
            looks++;
            each.run();
        }

        @Override
        public void await(Awaited awaited) {
            while (!awaited.isDone()) {
                backend.open().get(0).done();
            }
        }

        @Override
        public void unblock(Thread thread) {}
    }
}
