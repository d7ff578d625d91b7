package io.holdfast.lock.tests.harness;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads of several clients that take turns at one lock while somebody makes trouble. Inside the lock each looks whether
 * another is inside as well. Their holds outlive any trouble, so that nobody may ever be.
 */
public final class Workload {

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger collisions = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final List<Background<Boolean>> threads = new ArrayList<>();

    private volatile boolean stopped;

    /** Starts threads of one more client. */
    public Workload with(LockClient client, String name, int count) {
        for (int i = 0; i < count; i++) {
            threads.add(Background.run(() -> {
                RLock lock = client.getLock(name);
                while (!stopped) {
                    turn(lock);
                }
            }));
        }
        return this;
    }

    private void turn(RLock lock) throws InterruptedException {
        boolean locked;
        try {
            locked = lock.tryLock(2, TimeUnit.SECONDS);
        } catch (LockException refused) {
            failures.incrementAndGet();
            return;
        }
        if (!locked) {
            return;
        }
        if (inside.incrementAndGet() != 1) {
            collisions.incrementAndGet();
        }
        Thread.onSpinWait();
        inside.decrementAndGet();
        turns.incrementAndGet();
        try {
            lock.unlock();
        } catch (LockException unknown) {
            failures.incrementAndGet();
        } catch (LockLostException lost) {
            collisions.incrementAndGet();
        }
    }

    public int turns() {
        return turns.get();
    }

    /** Calls that ended with a typed failure. */
    public int failures() {
        return failures.get();
    }

    /** Two owners inside at once, or a hold that was lost within its lease. */
    public int collisions() {
        return collisions.get();
    }

    /** Ends the work; fails if a call does not end, or ended with anything but a typed failure. */
    public void stop() throws Exception {
        stopped = true;
        for (Background<Boolean> thread : threads) {
            thread.result();
        }
    }
}
