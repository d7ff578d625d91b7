package io.holdfast.lock.tests.regressions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RedLock;
import io.holdfast.lock.testkit.FaultProxy;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.RedisTest;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must hold for locks over several servers, and does not for those of Redisson 4.7.0. */
@RedisTest(servers = 3)
class QuorumRegressionTest extends ServerTest {

    private static final long FAR_LESS_THAN_SIX_SECONDS = 1_500;

    @AfterEach
    void wakeTheHung() {
        servers.forEach(RedisServer::resume);
    }

    private List<RLock> locksOfEachServer() {
        return servers.stream()
                .map(server -> closing(Clients.connect(server.url())).getLock("job"))
                .toList();
    }

    private RLock lockOfOneClient() {
        return closing(LockClient.connectQuorum(
                        servers.stream().map(RedisServer::url).toList(),
                        Clients.quick().build(),
                        QuorumOptions.defaults()))
                .getLock("job");
    }

    /** Redisson asks one server after the other: true after six seconds, or false when the first one hangs. */
    @Tag("proof")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void oneHungServerOfThreeNeitherDelaysNorRefuses(int hung) throws Exception {
        for (RLock lock : List.of(RedLock.of(locksOfEachServer().toArray(RLock[]::new)), lockOfOneClient())) {
            servers.get(hung).pause();
            for (int round = 0; round < 5; round++) {
                long startNanos = System.nanoTime();
                assertThat(lock.tryLock(1_000, 20_000, TimeUnit.MILLISECONDS)).isTrue();
                long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
                assertThat(tookMillis).isLessThan(FAR_LESS_THAN_SIX_SECONDS);
                assertThat(lock.isHeldByCurrentThread()).isTrue();
                assertThat(lock.remainTimeToLive()).isPositive();
                lock.unlock();
                assertThat(lock.isHeldByCurrentThread()).isFalse();
            }
            servers.get(hung).resume();
        }
    }

    /** Redisson says true when the keys of its majority have expired while it waited for other servers. */
    @Test
    void aGrantThatCameAfterItsLeaseIsNeverTrue() throws Exception {
        List<FaultProxy> proxies =
                servers.stream().map(server -> closing(FaultProxy.to(server))).toList();
        QuorumOptions patient =
                QuorumOptions.builder().nodeTimeout(Duration.ofSeconds(2)).build();
        LockClient client = closing(LockClient.connectQuorum(
                proxies.stream().map(FaultProxy::url).toList(),
                Clients.quick().commandTimeout(Duration.ofSeconds(3)).build(),
                patient));
        RLock lock = client.getLock("job");
        lock.lock();
        lock.unlock();
        for (FaultProxy proxy : proxies.subList(0, 2)) {
            proxy.delayReplies(Duration.ofMillis(300));
        }
        for (int round = 0; round < 3; round++) {
            boolean granted;
            try {
                granted = lock.tryLock(1_000, 200, TimeUnit.MILLISECONDS);
            } catch (LockException refused) {
                granted = false;
            }
            assertThat(granted).isFalse();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
        proxies.forEach(FaultProxy::heal);
        assertThat(lock.tryLock(1_000, 2_000, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    /** Redisson's RedLock swallows the interrupt and goes on. */
    @Test
    void anInterruptEndsTheWait() throws Exception {
        RLock holder = RedLock.of(locksOfEachServer().toArray(RLock[]::new));
        RLock lock = RedLock.of(locksOfEachServer().toArray(RLock[]::new));
        holder.lock();
        for (Background<?> waiter : List.of(
                Background.run(lock::lockInterruptibly),
                Background.run(() -> lock.lockInterruptibly(10, TimeUnit.SECONDS)),
                Background.call(() -> lock.tryLock(20, TimeUnit.SECONDS)),
                Background.call(() -> lock.tryLock(20, 10, TimeUnit.SECONDS)))) {
            waiter.awaitParked().interrupt();
            assertThatThrownBy(() -> waiter.result(Duration.ofSeconds(5))).isInstanceOf(InterruptedException.class);
        }
        holder.unlock();
        eventually(() -> assertThat(lockKeys()).isEmpty());
    }

    /** As above, on entry, when nobody holds the lock. */
    @Test
    void anInterruptOnEntryTakesNothing() {
        RLock lock = RedLock.of(locksOfEachServer().toArray(RLock[]::new));
        for (int round = 0; round < 10; round++) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(lockKeys()).isEmpty();
        }
    }

    /** Redisson's {@code lock()} loses the flag. */
    @Test
    void lockKeepsTheInterruptAndGoesOn() throws Exception {
        RLock holder = RedLock.of(locksOfEachServer().toArray(RLock[]::new));
        RLock lock = RedLock.of(locksOfEachServer().toArray(RLock[]::new));
        holder.lock();
        Background<Boolean> waiter = Background.call(() -> {
            lock.lock();
            boolean interrupted = Thread.currentThread().isInterrupted();
            lock.unlock();
            return interrupted;
        });
        waiter.awaitParked().interrupt();
        waiter.awaitParked();
        assertThat(waiter.isDone()).isFalse();
        holder.unlock();
        assertThat(waiter.result()).isTrue();
    }
}
