package io.holdfast.lock.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockNotHeldException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fenced lock answers with; that it is a lock like others is in the contract. */
class FencedLockTest extends ServerTest {

    private final ExecutorService background = Executors.newCachedThreadPool();
    private LockClient client;
    private RFencedLock lock;

    @BeforeEach
    void connectClient() {
        client = connect();
        lock = client.getFencedLock("stock");
    }

    @AfterEach
    void stopThreads() {
        background.shutdownNow();
    }

    @Test
    void everyFormOfTakingItAnswersWithTheTokenOfTheHold() {
        long token = lock.lockAndGetToken();
        assertThat(lock.getToken()).isEqualTo(token);
        assertThat(lock.getFencingToken()).isEqualTo(token);
        assertThat(lock.lockAndGetToken(10, TimeUnit.SECONDS)).isEqualTo(token);
        assertThat(lock.tryLockAndGetToken()).isEqualTo(token);
        assertThat(lock.tryLockAndGetToken(1, TimeUnit.SECONDS)).isEqualTo(token);
        assertThat(lock.tryLockAndGetToken(1, 10, TimeUnit.SECONDS)).isEqualTo(token);
        assertThat(Futures.get(lock.lockAndGetTokenAsync())).isEqualTo(token);
        assertThat(Futures.get(lock.lockAndGetTokenAsync(10, TimeUnit.SECONDS))).isEqualTo(token);
        assertThat(Futures.get(lock.tryLockAndGetTokenAsync())).isEqualTo(token);
        assertThat(Futures.get(lock.tryLockAndGetTokenAsync(1, TimeUnit.SECONDS)))
                .isEqualTo(token);
        assertThat(Futures.get(lock.tryLockAndGetTokenAsync(1, 10, TimeUnit.SECONDS)))
                .isEqualTo(token);
        assertThat(Futures.get(lock.getTokenAsync())).isEqualTo(token);
        assertThat(lock.getHoldCount()).isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            lock.unlock();
        }
    }

    @Test
    void nobodyHasATokenWithoutTheLock() throws Exception {
        try (LockHold hold = client.getLock("stock").acquire()) {
            assertThat(lock.tryLockAndGetToken()).isNull();
            assertThat(lock.tryLockAndGetToken(20, TimeUnit.MILLISECONDS)).isNull();
            assertThat(lock.tryLockAndGetToken(20, 10_000, TimeUnit.MILLISECONDS))
                    .isNull();
            assertThat(Futures.get(lock.tryLockAndGetTokenAsync())).isNull();
            assertThat(Futures.get(lock.tryLockAndGetTokenAsync(20, TimeUnit.MILLISECONDS)))
                    .isNull();
            assertThatThrownBy(lock::getToken).isInstanceOf(LockNotHeldException.class);
            assertThatThrownBy(() -> Futures.get(lock.getTokenAsync())).isInstanceOf(LockNotHeldException.class);
            assertThat(hold.fencingToken()).isPositive();
        }
    }

    @Test
    void anInterruptDoesNotEndAWaitThatCannotThrow() throws Exception {
        LockHold hold = client.getLock("stock").acquire();
        Future<Boolean> waiter = background.submit(() -> {
            Thread.currentThread().interrupt();
            Long token = lock.tryLockAndGetToken(20, TimeUnit.SECONDS);
            lock.unlock();
            return token != null && Thread.interrupted();
        });
        eventually(() -> assertThat(client.inspect("stock").localWaiters()).isEqualTo(1));
        hold.close();
        assertThat(Futures.get(waiter)).as("granted, and the flag is kept").isTrue();
    }

    @Test
    void aCancelledFutureOfATokenGivesTheLockBack() throws Exception {
        LockHold hold = client.getLock("stock").acquire();
        RFuture<Long> waiting = lock.lockAndGetTokenAsync();
        assertThat(waiting.cancel(true)).isTrue();
        hold.close();
        eventually(() -> assertThat(lock.isLocked()).isFalse());
    }

    @Test
    void whereTokensAreSwitchedOffThereIsNoFencedLock() {
        QuorumOptions unfenced = QuorumOptions.builder().fencing(false).build();
        LockClient quorum = closing(LockClient.connectQuorum(List.of(redis.url()), ClientOptions.defaults(), unfenced));
        assertThatIllegalStateException()
                .isThrownBy(() -> quorum.getFencedLock("stock"))
                .withMessageContaining("switched off");
    }

    @Test
    void aClientAnswersToTheNamesOfRedisson() {
        LockClient other = connect();
        assertThat(other.getId()).isEqualTo(other.id());
        var both = other.getMultiLock(other.getLock("a"), other.getFencedLock("b"));
        both.lock();
        assertThat(other.getLock("a").isLocked()).isTrue();
        assertThat(other.getLock("b").isLocked()).isTrue();
        both.unlock();
        assertThat(other.isShutdown()).isFalse();
        other.shutdown();
        assertThat(other.isShutdown()).isTrue();
        assertThat(other.isClosed()).isTrue();
    }
}
