package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.tests.harness.Background;
import io.holdfast.lock.tests.harness.Clients;
import io.holdfast.lock.tests.harness.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slots that are moved with all their keys at one moment, where the server does that: no answer tells of it but {@code MOVED}. */
@Tag("proof")
class WholeSlotTest extends ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int MOVES = 8;

    /** What excludes all others while it is held. */
    enum Kind {
        PLAIN(client -> client.getLock(NAME)),
        FAIR(client -> client.getFairLock(NAME)),
        WRITE(client -> client.getReadWriteLock(NAME).writeLock());

        private final Function<LockClient, RLock> lock;

        Kind(Function<LockClient, RLock> lock) {
            this.lock = lock;
        }
    }

    private static final String NAME = "whole";
    private final int slot = slotOf(NAME);

    @BeforeEach
    void onlyWhereSlotsMoveSo() {
        assumeThat(cluster.movesWholeSlots()).isTrue();
    }

    private void move() {
        cluster.moveWholeSlot(slot, otherThan(cluster.masterOf(slot)));
    }

    @ParameterizedTest
    @EnumSource
    void noTwoOwnersAreInAndEachHasAGreaterToken(Kind kind) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = new CopyOnWriteArrayList<>();
        AtomicInteger toGo = new AtomicInteger(MOVES);
        List<LockClient> clients = List.of(connect(), connect());
        List<Background<Boolean>> workers = new ArrayList<>();
        for (int worker = 0; worker < 6; worker++) {
            RLock lock = kind.lock.apply(clients.get(worker % clients.size()));
            workers.add(Background.run(() -> {
                while (toGo.get() > 0) {
                    LockHold hold = lock.acquire();
                    assertThat(inside.incrementAndGet()).isOne();
                    tokens.add(hold.fencingToken());
                    inside.decrementAndGet();
                    hold.release();
                }
            }));
        }
        while (toGo.get() > 0) {
            int before = tokens.size();
            move();
            eventually(() -> assertThat(tokens).hasSizeGreaterThan(before + 20));
            toGo.decrementAndGet();
        }
        for (Background<Boolean> worker : workers) {
            worker.result();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** A watched lock, a reader and a permit are renewed at the next node, and released there. */
    @Test
    void whatIsHeldGoesOn() throws Exception {
        LockClient client =
                connect(patient().lockOptions(Clients.watchdog(LEASE)).build());
        RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore(NAME);
        slots.setPermits(1);
        List<LockHold> holds = List.of(
                client.getLock(NAME).acquire(),
                client.getReadWriteLock(namesOfOneSlot(1).get(0)).readLock().acquire(),
                slots.acquireHold());
        LockClient other = connect();
        long end = System.nanoTime() + 2 * LEASE.toNanos();
        while (System.nanoTime() - end < 0) {
            move();
            assertThat(other.getLock(NAME).tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(other.getPermitExpirableSemaphore(NAME).tryAcquireHold(Duration.ofMillis(50)))
                    .isEmpty();
        }
        for (LockHold hold : holds) {
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
            hold.close();
        }
        try (RawRedis raw = cluster.masterOf(slot).connect()) {
            raw.command("DEL", Stored.key(NAME) + ":limit");
        }
    }

    /** A waiter listens at the next node, and hears of the release there. */
    @ParameterizedTest
    @EnumSource
    void aWaiterIsWoken(Kind kind) throws Exception {
        LockClient client = connect();
        LockClient other = connect();
        LockHold hold = kind.lock.apply(client).acquire();
        RFuture<LockHold> waits = kind.lock.apply(other).acquireAsync();
        eventually(() -> assertThat(other.waiters()).isNotEmpty());
        for (int round = 0; round < MOVES; round++) {
            move();
        }
        hold.release();
        LockHold next = waits.toCompletableFuture().get(WOKEN.toMillis(), TimeUnit.MILLISECONDS);
        next.release();
    }
}
