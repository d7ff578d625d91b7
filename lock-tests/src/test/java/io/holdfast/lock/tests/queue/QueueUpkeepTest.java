package io.holdfast.lock.tests.queue;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.harness.Clients;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the watchdog ends of a lock with a queue: at the longest hold, and with the thread that took it. Then the next one comes. */
@Tag("proof")
class QueueUpkeepTest extends QueueTest {

    private static final LockOptions QUICK = Clients.watchdog(Duration.ofMillis(900));

    private static final LockOptions BOUNDED = LockOptions.builder()
            .watchdogLease(Duration.ofMillis(900))
            .maxHold(Duration.ofMillis(2_000))
            .build();

    /** As what a lock is held. */
    enum Kind {
        FAIR {
            @Override
            RLock of(LockClient client, LockOptions options) {
                return client.getFairLock(NAME, options);
            }
        },
        READ {
            @Override
            RLock of(LockClient client, LockOptions options) {
                return client.getReadWriteLock(NAME, options).readLock();
            }
        },
        WRITE {
            @Override
            RLock of(LockClient client, LockOptions options) {
                return client.getReadWriteLock(NAME, options).writeLock();
            }
        };

        abstract RLock of(LockClient client, LockOptions options);
    }

    @ParameterizedTest
    @EnumSource
    void theLongestHoldEndsAndTheNextOneComes(Kind kind) throws Exception {
        LockHold bounded = kind.of(client, BOUNDED).acquire();
        RFuture<LockHold> next = writing(other).acquireAsync();
        assertThat(get(bounded.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.MAX_HOLD);
        get(next).close();
        assertThatThrownBy(bounded::close).isInstanceOf(LockLostException.class);
    }

    /** In one client and one lock, with a lease of its own each: the one that ends takes nothing from the other. */
    @Test
    void theLongestHoldOfOneReaderIsItsOwn() throws Exception {
        LockHold bounded = Kind.READ.of(client, BOUNDED).acquire();
        LockHold beside = Kind.READ.of(client, QUICK).acquire();
        assertThat(get(bounded.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.MAX_HOLD);
        eventually(() -> assertThat(readers()).hasSize(1));
        assertThat(beside.state()).isEqualTo(HoldState.HELD);
        assertThat(writing(other).tryAcquire(Duration.ofMillis(1_500)))
                .as("renewed meanwhile")
                .isEmpty();
        beside.close();
        assertThatThrownBy(bounded::close).isInstanceOf(LockLostException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatDiedIsNotRenewedForAndTheNextOneComes(Kind kind) throws Exception {
        diesHolding(kind.of(client, QUICK));
        RFuture<LockHold> next = writing(other).acquireAsync();
        get(next).close();
        eventually(() -> assertThat(client.holds()).isEmpty());
    }

    /** Of two threads that read one lock. */
    @Test
    void aReaderThatDiedTakesNoOtherWithIt() throws Exception {
        RLock lock = Kind.READ.of(client, QUICK);
        diesHolding(lock);
        lock.lock();
        assertThat(client.holds()).hasSize(2);
        eventually(() -> assertThat(client.holds()).hasSize(1));
        assertThat(writing(other).tryAcquire(Duration.ofMillis(1_500)))
                .as("renewed meanwhile")
                .isEmpty();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(writing(other).tryLock(5, SECONDS)).isTrue();
        writing(other).unlock();
    }

    private static void diesHolding(RLock lock) throws InterruptedException {
        Thread thread = new Thread(lock::lock, "holder");
        thread.start();
        thread.join();
    }
}
