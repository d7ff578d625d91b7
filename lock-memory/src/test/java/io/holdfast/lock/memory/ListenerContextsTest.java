package io.holdfast.lock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.RLock;
import io.holdfast.lock.RLockAsync;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a listener gives back at the start of a call may be large, and goes with the call and its hold, however these end. */
@Tag("proof")
class ListenerContextsTest {

    /** Gives each call something large, and knows whether that is still there. */
    private static final class Giving implements LockListener {

        private final List<WeakReference<byte[]>> given = new ArrayList<>();

        @Override
        public synchronized Object started(String lockName) {
            byte[] large = new byte[100_000];
            given.add(new WeakReference<>(large));
            return large;
        }

        synchronized List<Integer> left() {
            List<Integer> left = new ArrayList<>();
            for (int i = 0; i < given.size(); i++) {
                if (given.get(i).get() != null) {
                    left.add(i);
                }
            }
            return left;
        }
    }

    private final Giving giving = new Giving();
    private final InMemoryLocks locks = InMemoryLocks.store();
    private final LockClient client = locks.newClient(ClientOptions.builder()
            .lockOptions(LockOptions.builder().listener(giving).build())
            .build());
    private final LockClient other = locks.newClient();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void nothingKeepsThemWhenTheirCallsAreOver() throws Exception {
        released();
        refused();
        handedOver();
        lost();
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            System.gc();
            assertThat(giving.left()).as("contexts left").isEmpty();
        });
        assertThat(giving.given).hasSize(11);
    }

    private void released() {
        RLock lock = client.getLock("a");
        lock.lock();
        lock.lock();
        lock.unlock();
        lock.unlock();
        RLock both = MultiLock.of(client.getLock("b"), client.getLock("c"));
        both.lock();
        both.unlock();
    }

    private void refused() throws Exception {
        LockHold held = other.getLock("d").acquire();
        RLock lock = client.getLock("d");
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(10, TimeUnit.MILLISECONDS)).isFalse();
        waiting(lock).cancel(true);
        held.close();
        locks.fail("d");
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockUnavailableException.class);
    }

    private void handedOver() throws Exception {
        LockHold first = client.getLock("a").acquire();
        CompletableFuture<LockHold> second = waiting(client.getLock("a"));
        first.close();
        second.get(5, TimeUnit.SECONDS).close();
    }

    private void lost() {
        RLock lock = client.getLock("a");
        lock.lock();
        locks.expire("a");
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    private CompletableFuture<LockHold> waiting(RLockAsync lock) {
        CompletableFuture<LockHold> call = lock.acquireAsync().toCompletableFuture();
        await().pollInterval(Duration.ofMillis(2)).until(() -> client.waiters().size() == 1);
        return call;
    }
}
