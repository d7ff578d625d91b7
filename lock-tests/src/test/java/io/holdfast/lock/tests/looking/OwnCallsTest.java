package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.HeldLock;
import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.WaitingCall;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client holds, waits for and is connected to, as it says itself. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnCallsTest extends ServerTest {

    @Test
    void holdsTellAllThatIsKnownOfThem() throws Exception {
        LockClient client = connect();
        assertThat(client.holds()).isEmpty();
        Instant before = Instant.now().minusMillis(5);
        RLock lock = client.getLock("mine");
        lock.lock();
        lock.lock();
        HeldLock held = client.holds().get(0);
        assertThat(client.holds()).hasSize(1);
        assertThat(held.name()).isEqualTo("mine");
        assertThat(held.owner())
                .isEqualTo(client.id() + ":" + Thread.currentThread().getId());
        assertThat(held.fencingToken()).hasValue(lock.getFencingToken());
        assertThat(held.since()).isBetween(before, Instant.now().plusMillis(5));
        assertThat(held.validity()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
        assertThat(held.state()).isEqualTo(HoldState.HELD);
        assertThat(held.threadName()).contains(Thread.currentThread().getName());
        lock.unlock();
        assertThat(client.holds()).hasSize(1);
        lock.unlock();
        assertThat(client.holds()).isEmpty();
        LockHold handle = client.getLock("mine").acquireAsync().get(5, TimeUnit.SECONDS);
        assertThat(client.holds()).extracting(HeldLock::threadName).containsExactly(Optional.empty());
        handle.close();
    }

    @Test
    void aLostHoldIsNone() {
        LockClient client = connect();
        RLock lock = client.getLock("lost");
        lock.lock(100, TimeUnit.MILLISECONDS);
        eventually(() -> assertThat(client.holds()).isEmpty());
    }

    @Test
    void membersOfAMultiLockAreHoldsOnceAllAreTaken() throws Exception {
        LockClient client = connect();
        LockHold second = client.getLock("second").acquire();
        RFuture<LockHold> both =
                MultiLock.of(client.getLock("first"), client.getLock("second")).acquireAsync();
        eventually(() -> assertThat(client.waiters()).hasSize(1));
        assertThat(client.holds()).extracting(HeldLock::name).containsExactly("second");
        second.close();
        LockHold taken = Futures.get(both);
        assertThat(client.holds()).extracting(HeldLock::name).containsExactlyInAnyOrder("first", "second");
        taken.close();
    }

    @Test
    void waitersStandInTheirOrder() throws Exception {
        LockClient client = connect();
        LockHold hold = client.getLock("wanted").acquire();
        List<RFuture<LockHold>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(client.getLock("wanted").acquireAsync());
        }
        Thread thread = new Thread(
                () -> {
                    client.getLock("wanted").lock();
                    client.getLock("wanted").unlock();
                },
                "the fourth");
        thread.start();
        eventually(() -> assertThat(client.waiters()).hasSize(4));
        List<WaitingCall> waiters = client.waiters();
        assertThat(waiters).extracting(WaitingCall::name).containsOnly("wanted");
        assertThat(waiters).extracting(WaitingCall::position).containsExactly(1, 2, 3, 4);
        assertThat(waiters.get(3).threadName()).contains("the fourth");
        assertThat(waiters.get(0).threadName()).isEmpty();
        assertThat(waiters)
                .extracting(WaitingCall::owner)
                .doesNotHaveDuplicates()
                .allMatch(owner -> owner.startsWith(client.id() + ":"));
        assertThat(waiters.get(0).waited()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
        hold.close();
        for (RFuture<LockHold> each : waiting) {
            Futures.get(each).close();
        }
        thread.join();
        assertThat(client.waiters()).isEmpty();
    }

    /** Such threads may not wait, and neither look does. */
    @Test
    void anEventLoopMayLook() throws Exception {
        LockClient client = connect();
        LockHold hold = client.getLock("wanted").acquire();
        RFuture<LockHold> waiting = client.getLock("wanted").acquireAsync();
        CompletableFuture<Integer> seen = client.getLock("other")
                .isLockedAsync()
                .toCompletableFuture()
                .thenApply(locked -> client.holds().size() + client.waiters().size());
        assertThat(Futures.get(seen)).isEqualTo(2);
        hold.close();
        Futures.get(waiting).close();
    }

    @Test
    void connectionsAreThoseThatThereAre() throws Exception {
        LockClient client = connect();
        assertThat(client.connections()).hasSize(1);
        ConnectionInfo commands = client.connections().get(0);
        assertThat(commands.purpose()).isEqualTo(ConnectionPurpose.COMMANDS);
        assertThat(commands.up()).isTrue();
        assertThat(commands.queued()).isZero();
        assertThat(commands.node()).contains(String.valueOf(redis.port()));
        LockHold hold = client.getLock("wanted").acquire();
        RFuture<LockHold> waiting = client.getLock("wanted").acquireAsync();
        eventually(() -> assertThat(client.connections())
                .filteredOn(ConnectionInfo::up)
                .extracting(ConnectionInfo::purpose)
                .containsExactly(ConnectionPurpose.COMMANDS, ConnectionPurpose.MESSAGES));
        hold.close();
        Futures.get(waiting).close();
        redis.kill();
        eventually(() -> assertThat(client.connections()).noneMatch(ConnectionInfo::up));
        redis.restart();
    }

    @Test
    @Tag("proof")
    // The leak detector notes each access to a buffer: taking them all is slow, and no matter of this test.
    @Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aHundredThousandHoldsAreSeenAtOnce() {
        LockClient client = connect(ClientOptions.builder()
                .clientRecord(false)
                .commandTimeout(Duration.ofSeconds(20))
                .lockOptions(LockOptions.builder().lease(Duration.ofMinutes(5)).build())
                .build());
        int count = 100_000;
        int together = 1_000;
        List<LockHold> holds = new ArrayList<>();
        for (int i = 0; i < count; i += together) {
            List<RFuture<LockHold>> taken = IntStream.range(i, i + together)
                    .mapToObj(each -> client.getLock("lock " + each).acquireAsync())
                    .toList();
            taken.forEach(each -> holds.add(Futures.get(each)));
        }
        long bestMillis = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long begun = System.nanoTime();
            assertThat(client.holds().size()).isEqualTo(count);
            bestMillis = Math.min(bestMillis, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
        }
        System.out.println("100,000 holds: " + bestMillis + " ms");
        assertThat(bestMillis).isLessThan(500);
        raw.command("FLUSHALL");
    }
}
