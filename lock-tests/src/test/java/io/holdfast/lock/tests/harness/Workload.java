package io.holdfast.lock.tests.harness;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.evidence.Guarded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads of several clients that take turns at one lock while a test makes trouble. What the lock guards notes whether two
 * are inside at once. Their holds outlive any trouble, so that nobody may ever be.
 */
public final class Workload {

    private final Guarded guarded = new Guarded();
    private final AtomicInteger losses = new AtomicInteger();
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
        guarded.visit();
        try {
            lock.unlock();
        } catch (LockException unknown) {
            failures.incrementAndGet();
        } catch (LockLostException lost) {
            losses.incrementAndGet();
        }
    }

    public int turns() {
        return guarded.visits();
    }

    /** Calls that ended with a typed failure. */
    public int failures() {
        return failures.get();
    }

    /** Two owners inside at once, or a hold that was lost within its lease. */
    public int collisions() {
        return guarded.wrong().size() + losses.get();
    }

    /** Ends the work; fails if a call does not end, or ended with anything but a typed failure. */
    public void stop() throws Exception {
        stopped = true;
        for (Background<Boolean> thread : threads) {
            thread.result();
        }
    }
}
