package io.holdfast.lock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.FencedValue;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.RSemaphore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a test makes happen to locks in memory, and what its clients make of it. */
class InMemoryLocksTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final InMemoryLocks locks = InMemoryLocks.store();
    private final LockClient client = locks.newClient();
    private final LockClient other = locks.newClient();

    @AfterEach
    void nothingIsLeft() {
        locks.close();
        soon().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-"))
                .toList();
    }

    private static LockLoss loss(LockHold hold) {
        return hold.lost().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
    }

    // --- whose locks they are ---

    @Test
    void clientsOfOneStoreExcludeEachOther() throws Exception {
        LockHold hold = client.getLock("a").acquire();
        assertThat(other.getLock("a").tryAcquire()).isEmpty();
        try (LockClient elsewhere = InMemoryLocks.client()) {
            assertThat(elsewhere.getLock("a").tryAcquire()).isPresent();
        }
        hold.release();
        assertThat(other.getLock("a").acquire().fencingToken()).isGreaterThan(hold.fencingToken());
    }

    @Test
    void aFencedValueRefusesAnOlderToken() {
        FencedValue value = client.getFencedValue("v");
        assertThat(value.set("new", 2)).isTrue();
        assertThat(other.getFencedValue("v").set("old", 1)).isFalse();
        assertThat(value.get()).contains("new");
    }

    @Test
    void theStoreOfAClientIsFound() {
        assertThat(InMemoryLocks.of(client)).isSameAs(locks);
    }

    @Test
    void locksAreListedWithTheirClients() throws Exception {
        client.getLock("stock:1").acquire();
        other.getLock("stock:2").acquire();
        client.getLock("other").acquire();
        client.getFencedValue("stock:3").set("v", 1);
        try (Stream<LockInfo> found = client.locks(LockQuery.prefix("stock:").withPageSize(1))) {
            assertThat(found).extracting(LockInfo::name).containsExactlyInAnyOrder("stock:1", "stock:2");
        }
        soon().untilAsserted(() -> assertThat(other.inspect("stock:1").holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.client()).hasValueSatisfying(behind -> {
                    assertThat(behind.id()).isEqualTo(client.id());
                    assertThat(behind.processId())
                            .isEqualTo(ProcessHandle.current().pid());
                })));
        assertThat(client.holds()).hasSize(2);
        assertThat(client.connections()).singleElement().satisfies(each -> assertThat(each.up())
                .isTrue());
    }

    // --- semaphores ---

    @Test
    void clientsShareTheLimitOfASemaphore() throws Exception {
        RSemaphore mine = client.getSemaphore("s");
        RSemaphore theirs = other.getSemaphore("s");
        assertThat(mine.trySetPermits(3)).isTrue();
        mine.acquire(2);
        assertThat(theirs.tryAcquire(2)).isFalse();
        CompletableFuture<Void> waiting = theirs.acquireAsync(2).toCompletableFuture();
        mine.release();
        waiting.get(5, TimeUnit.SECONDS);
        assertThat(mine.availablePermits()).isZero();
        theirs.setPermits(4);
        assertThat(mine.drainPermits()).isEqualTo(1);
    }

    @Test
    void aPermitWithAFixedLeaseComesBackWithTheTimeThatIsAdded() throws Exception {
        RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore("s");
        permits.setPermits(2);
        String watched = permits.acquire();
        permits.acquire(10, TimeUnit.SECONDS);
        locks.advance(LEASE.dividedBy(2));
        assertThat(permits.acquiredPermits()).isEqualTo(2);
        locks.advance(LEASE);
        assertThat(other.getPermitExpirableSemaphore("s").acquiredPermits()).isOne();
        assertThat(other.getPermitExpirableSemaphore("s").tryRelease(watched)).isTrue();
        assertThat(permits.availablePermits()).isEqualTo(2);
    }

    // --- expire ---

    @Test
    void whatIsRenewedAndExpiresWasNotRenewed() throws Exception {
        LockHold hold = client.getLock("a").acquire();
        CompletableFuture<LockHold> waiting = other.getLock("a").acquireAsync().toCompletableFuture();
        assertThat(locks.expire("a")).isTrue();
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(loss(hold).reason()).isEqualTo(LossReason.NOT_RENEWED);
        assertThat(waiting.get(5, TimeUnit.SECONDS).state()).isEqualTo(HoldState.HELD);
    }

    @Test
    @Tag("proof")
    void aHoldThatBeginsWithAnExpiryIsNotLostByIt() throws Exception {
        for (int i = 0; i < 500; i++) {
            LockHold hold = client.getLock("a").acquire();
            CompletableFuture<LockHold> waiting =
                    other.getLock("a").acquireAsync().toCompletableFuture();
            locks.expire("a");
            LockHold next = waiting.get(5, TimeUnit.SECONDS);
            assertThat(hold.state()).isEqualTo(HoldState.LOST);
            assertThat(next.state()).isEqualTo(HoldState.HELD);
            assertThat(client.getLock("a").tryAcquire()).isEmpty();
            next.release();
        }
    }

    @Test
    void aFixedLeaseExpires() throws Exception {
        LockHold hold = client.getLock("a").withLease(LEASE).acquire();
        locks.expire("a");
        assertThat(loss(hold).reason()).isEqualTo(LossReason.LEASE_EXPIRED);
    }

    @Test
    void expiryMeetsEveryKeyOfANameAndNoOther() throws Exception {
        LockOptions redisson =
                LockOptions.builder().keyScheme(KeyScheme.REDISSON).build();
        LockOptions prefixed = LockOptions.builder().prefix("shop").build();
        String name = "a{1}";
        List<LockHold> gone = List.of(
                client.getLock(name).acquire(),
                other.getLock(name, prefixed).acquire(),
                client.getLock(name, redisson).acquire());
        List<LockHold> kept = List.of(
                client.getLock("a").acquire(), client.getLock("x:{" + name).acquire());
        client.getFencedValue(name).set("v", 1);

        assertThat(locks.expire(name)).isTrue();
        assertThat(gone).extracting(LockHold::state).containsOnly(HoldState.LOST);
        assertThat(kept).extracting(LockHold::state).containsOnly(HoldState.HELD);
        assertThat(client.getFencedValue(name).get()).contains("v");
        assertThat(locks.expire(name)).isFalse();
    }

    @Test
    void permitsOfTheNameExpireAsWell() throws Exception {
        RPermitExpirableSemaphore permits = client.getPermitExpirableSemaphore("a");
        permits.setPermits(2);
        LockHold watched = permits.acquireHold();
        LockHold fixed = permits.tryAcquireHold(Duration.ZERO, LEASE).orElseThrow();
        CompletableFuture<List<LockHold>> waiting = other.getPermitExpirableSemaphore("a")
                .tryAcquireHoldsAsync(2, Duration.ofSeconds(60), LEASE)
                .toCompletableFuture();
        assertThat(locks.expire("a")).isTrue();
        assertThat(loss(watched).reason()).isEqualTo(LossReason.NOT_RENEWED);
        assertThat(loss(fixed).reason()).isEqualTo(LossReason.LEASE_EXPIRED);
        assertThat(waiting.get(5, TimeUnit.SECONDS))
                .extracting(LockHold::state)
                .containsExactly(HoldState.HELD, HoldState.HELD);
        assertThat(permits.getPermits()).isEqualTo(2);
    }

    // --- fail ---

    @Test
    void theNextCallForPermitsFailsAndNoOther() throws Exception {
        RSemaphore semaphore = client.getSemaphore("a");
        semaphore.setPermits(1);
        locks.fail("a");
        assertThatThrownBy(semaphore::acquire).isInstanceOf(LockUnavailableException.class);
        assertThat(semaphore.tryAcquire()).isTrue();
    }

    @Test
    void theNextCallFailsAndNoOther() {
        RLock lock = client.getLock("a");
        locks.fail("a");
        assertThat(client.getLock("b").tryLock()).isTrue();
        assertThatThrownBy(lock::lock)
                .isInstanceOfSatisfying(LockUnavailableException.class, failure -> assertThat(failure.reason())
                        .isEqualTo(FailureReason.UNREACHABLE))
                .hasMessageContaining("InMemoryLocks.fail");
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void aReleaseThatFailsFreesTheLockLater() throws Exception {
        LockHold hold = client.getLock("a").acquire();
        locks.fail("a");
        assertThatThrownBy(hold::release).isInstanceOf(LockUnavailableException.class);
        assertThat(other.getLock("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
    }

    @Test
    void whatIsToldTwiceFailsTwice() {
        locks.fail("a");
        locks.fail("a");
        assertThatThrownBy(() -> client.inspect("a")).isInstanceOf(LockUnavailableException.class);
        assertThatThrownBy(() -> other.getLock("a").tryLock()).isInstanceOf(LockUnavailableException.class);
        assertThat(client.inspect("a").locked()).isFalse();
    }

    // --- advance ---

    @Test
    void aFixedLeaseRunsOutAndAWatchedOneDoesNot() throws Exception {
        LockHold fixed = client.getLock("fixed").withLease(LEASE).acquire();
        LockHold watched = client.getLock("watched").acquire();

        locks.advance(LEASE.dividedBy(2));
        assertThat(fixed.state()).isEqualTo(HoldState.HELD);
        locks.advance(LEASE.dividedBy(2));
        assertThat(fixed.state()).isEqualTo(HoldState.LOST);
        assertThat(loss(fixed).reason()).isEqualTo(LossReason.LEASE_EXPIRED);
        assertThat(other.getLock("fixed").tryLock()).isTrue();

        locks.advance(Duration.ofHours(1));
        assertThat(watched.state()).isEqualTo(HoldState.HELD);
        watched.ensure(Duration.ofSeconds(1));
        assertThat(other.getLock("watched").tryLock()).isFalse();
    }

    @Test
    void aWaitEndsWithTheTimeThatIsAdded() throws Exception {
        client.getLock("a").acquire();
        CompletableFuture<Boolean> waiting =
                other.getLock("a").tryLockAsync(60, TimeUnit.SECONDS).toCompletableFuture();
        soon().until(() -> other.inspect("a").localWaiters() == 1);
        locks.advance(Duration.ofSeconds(59));
        assertThat(waiting).isNotDone();
        locks.advance(Duration.ofSeconds(1));
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aWaiterGetsWhatRunsOutMeanwhile() throws Exception {
        client.getLock("a").withLease(LEASE).acquire();
        CompletableFuture<Boolean> waiting =
                other.getLock("a").tryLockAsync(60, TimeUnit.SECONDS).toCompletableFuture();
        soon().until(() -> other.inspect("a").localWaiters() == 1);
        locks.advance(LEASE.plusMillis(10));
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isTrue();
    }

    /** An executor may run code of users on the thread that brings it: here that is the one which the other caller waits for. */
    @Test
    void theStoresOwnThreadIsRefusedWhileAnotherAddsTime() throws Exception {
        LockClient direct = locks.newClient(
                ClientOptions.builder().callbackExecutor(Runnable::run).build());
        client.getLock("a").acquire();
        CompletableFuture<Void> refused = direct.getLock("a")
                .tryLockAsync(60, TimeUnit.SECONDS)
                .toCompletableFuture()
                .thenRun(() -> locks.advance(LEASE));
        soon().until(() -> direct.inspect("a").localWaiters() == 1);
        CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> locks.advance(Duration.ofSeconds(60)));
        assertThatThrownBy(() -> refused.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class);
        adding.get(5, TimeUnit.SECONDS);
    }

    @Test
    void timeDoesNotGoBack() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.advance(Duration.ofSeconds(-1)))
                .withMessageContaining("time: -1 s (expected: ");
    }

    // --- by address ---

    @Test
    void clientsOfOneAddressShareTheirLocks() throws Exception {
        try (LockClient one = LockClient.connect("memory:shared");
                LockClient two = LockClient.connectAsync("memory:shared").get(5, TimeUnit.SECONDS);
                LockClient own = LockClient.connect("memory:")) {
            assertThat(one.getLock("a").tryLock()).isTrue();
            assertThat(two.getLock("a").tryLock()).isFalse();
            assertThat(own.getLock("a").tryLock()).isTrue();
            assertThat(InMemoryLocks.of(one)).isSameAs(InMemoryLocks.of(two));
        }
        try (LockClient next = LockClient.connect("memory:shared")) {
            assertThat(next.getLock("a").isLocked())
                    .as("held after its last client")
                    .isFalse();
        }
    }

    @Test
    void anAddressHasToNameAStore() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connect("memory://a/b"))
                .withMessageStartingWith("address 'memory://a/b': no store in memory (expected: ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockClient.connectQuorum("memory:a", "memory:b", "memory:c"))
                .withMessageStartingWith("urls: stores in memory (expected: servers");
    }

    @Test
    void aStoreInMemoryHasNeitherReplicasNorSentinels() {
        assertThatThrownBy(() -> locks.newClient(ClientOptions.builder()
                        .waitForReplicas(1, Duration.ofSeconds(1))
                        .build()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("waitForReplicas: the transport to memory:");
        assertThatThrownBy(() -> locks.newClient(ClientOptions.builder()
                        .failoverGuard(Duration.ofMinutes(1))
                        .build()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("failoverGuard: memory:");
    }
}
