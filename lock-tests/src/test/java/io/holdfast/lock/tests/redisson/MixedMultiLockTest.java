package io.holdfast.lock.tests.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.tests.evidence.Guarded;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A MultiLock of ours beside one of Redisson's that names the members in another order: both get their turns. */
@Tag("proof")
class MixedMultiLockTest extends ServerTest {

    private static final int TURNS = 100;
    private static final Duration WITHIN = Duration.ofSeconds(15);

    private final ExecutorService background = Executors.newCachedThreadPool();
    private final Guarded guarded = new Guarded();
    private final AtomicInteger ourTurns = new AtomicInteger();
    private final AtomicInteger theirTurns = new AtomicInteger();
    private LockClient client;
    private RedissonClient redisson;

    @BeforeEach
    void connectBoth() {
        client = connect(ClientOptions.builder()
                .lockOptions(LockOptions.builder().keyScheme(KeyScheme.REDISSON).build())
                .build());
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url()).setConnectionMinimumIdleSize(4);
        redisson = Redisson.create(config);
    }

    @AfterEach
    void closeRedisson() {
        background.shutdownNow();
        redisson.shutdown();
    }

    @Test
    void bothSidesGetTheirTurnsInOppositeOrders() {
        Lock ours = MultiLock.of(client.getLock("a"), client.getLock("b"));
        Lock theirs = redisson.getMultiLock(redisson.getLock("b"), redisson.getLock("a"));
        long until = System.nanoTime() + WITHIN.toNanos();
        List<Future<?>> both = List.of(
                background.submit(() -> takeTurns(ours, ourTurns, until)),
                background.submit(() -> takeTurns(theirs, theirTurns, until)));
        both.forEach(Futures::get);
        assertThat(guarded.wrong()).isEmpty();
        assertThat(List.of(ourTurns.get(), theirTurns.get())).allMatch(turns -> turns >= TURNS);
    }

    /** Goes on until both sides have had enough, so that neither has the locks for itself. */
    private void takeTurns(Lock lock, AtomicInteger turns, long untilNanos) {
        while ((ourTurns.get() < TURNS || theirTurns.get() < TURNS) && System.nanoTime() - untilNanos < 0) {
            lock.lock();
            try {
                guarded.visit();
                turns.incrementAndGet();
            } finally {
                lock.unlock();
            }
        }
    }
}
