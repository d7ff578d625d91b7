package io.holdfast.lock.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.luaj.vm2.LuaString;

/** Owners of several clients want two locks while all that a test can make happen happens, and clients come and go. */
@Tag("proof")
class InMemoryStormTest {

    private static final List<String> NAMES = List.of("a", "b");
    private static final int OWNERS = 8;
    private static final int TURNS = 400;

    private final InMemoryLocks locks = InMemoryLocks.store();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void everyCallEndsAndNothingIsLeft() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Integer>> owners = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            Random random = new Random(i);
            owners.add(threads.submit(() -> own(random)));
        }
        Future<?> weather = threads.submit(() -> make(new Random(OWNERS)));
        int taken = 0;
        for (Future<Integer> owner : owners) {
            taken += owner.get(60, TimeUnit.SECONDS);
        }
        over.set(true);
        weather.get(60, TimeUnit.SECONDS);
        threads.shutdown();
        assertThat(taken).as("granted").isGreaterThan(OWNERS * TURNS / 10);

        locks.advance(Duration.ofMinutes(2));
        locks.close();
        MemoryStore store = locks.data();
        List<String> held = store.inside(data -> data.keys().stream()
                .filter(key -> data.type(key).equals("hash"))
                .map(LuaString::tojstring)
                .filter(key -> key.startsWith("holdfast:{"))
                .toList());
        assertThat(held).isEmpty();
        assertThat(store.channels()).isZero();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("holdfast-")));
    }

    /** Takes locks, by one client after the other; returns how often it was granted one. */
    private int own(Random random) throws InterruptedException {
        int taken = 0;
        int turn = 0;
        while (turn < TURNS) {
            try (LockClient client = locks.newClient()) {
                for (int last = turn + 50; turn < last; turn++) {
                    RLock lock = client.getLock(NAMES.get(random.nextInt(2)));
                    taken += take(random.nextBoolean() ? lock : lock.withLease(Duration.ofSeconds(5)));
                }
            }
        }
        return taken;
    }

    private static int take(RLock lock) throws InterruptedException {
        Optional<LockHold> hold = Optional.empty();
        try {
            hold = lock.tryAcquire(Duration.ofSeconds(20));
            Thread.yield();
            hold.ifPresent(LockHold::release);
        } catch (LockException | LockLostException asTold) {
            // It was told to fail, or to expire; what it took is given back in the background.
        }
        return hold.isPresent() ? 1 : 0;
    }

    private void make(Random random) {
        while (!over.get()) {
            String name = NAMES.get(random.nextInt(2));
            switch (random.nextInt(3)) {
                case 0 -> locks.expire(name);
                case 1 -> locks.fail(name);
                default -> locks.advance(Duration.ofMillis(random.nextInt(4_000)));
            }
            Thread.yield();
        }
        // What was told to fail and met no call.
        LockClient last = locks.newClient();
        for (int told = 0; told < 100_000; told++) {
            try {
                NAMES.forEach(last::inspect);
                return;
            } catch (LockException asTold) {
                assertThat(asTold).hasMessageContaining("InMemoryLocks.fail");
            }
        }
    }
}
