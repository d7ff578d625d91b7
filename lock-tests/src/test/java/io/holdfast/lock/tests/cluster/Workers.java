package io.holdfast.lock.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.tests.harness.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Threads of two clients that take one lock of each master in turn, and look whether they are alone. */
final class Workers implements AutoCloseable {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final int THREADS_OF_EACH = 4;
    private static final int TURNS = 20;

    final List<String> names;
    /** How often an owner met another one while its hold was valid. */
    final AtomicInteger together = new AtomicInteger();

    final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicIntegerArray inside;
    private final AtomicIntegerArray turns;
    private final List<Background<Boolean>> threads = new ArrayList<>();

    Workers(ClusterTest test) {
        names = test.oneOfEach();
        inside = new AtomicIntegerArray(names.size());
        turns = new AtomicIntegerArray(names.size());
        LockClient[] clients = {test.connect(), test.connect()};
        for (int i = 0; i < names.size() * THREADS_OF_EACH; i++) {
            int lock = i % names.size();
            LockClient client = clients[i % 2];
            threads.add(Background.run(() -> work(client, lock)));
        }
        awaitTurns();
    }

    private void work(LockClient client, int lock) throws InterruptedException {
        while (!over.get()) {
            try (LockHold hold =
                    client.getLock(names.get(lock)).withLease(LEASE).acquire()) {
                // While the hold is valid; the server may have lost a lock that no replica had.
                if (inside.incrementAndGet(lock) != 1 && hold.validFor().toMillis() > 0) {
                    together.incrementAndGet();
                }
                inside.decrementAndGet(lock);
                turns.incrementAndGet(lock);
            } catch (LockException | IllegalMonitorStateException passing) {
                failures.incrementAndGet();
            }
        }
    }

    /** Each lock is taken again, many times. */
    void awaitTurns() {
        awaitTurns(names);
    }

    /** Each of these locks is taken again, many times. */
    void awaitTurns(List<String> some) {
        for (String name : some) {
            int lock = names.indexOf(name);
            int before = turns.get(lock);
            ClusterTest.eventually(() -> assertThat(turns.get(lock)).isGreaterThan(before + TURNS));
        }
    }

    @Override
    public void close() throws Exception {
        over.set(true);
        for (Background<Boolean> thread : threads) {
            thread.result(ClusterTest.PATIENCE);
        }
    }
}
