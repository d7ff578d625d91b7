package io.holdfast.lock.tests.turns;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Interruptible;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Threads of one client that take a lock again and again, and check that they have it alone. */
final class HotClient implements AutoCloseable {

    private final RLock lock;
    private final Site site;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger grants = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private final List<Interruptible> threads = new ArrayList<>();

    /** What all clients of one lock share. */
    static final class Site {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicLong token = new AtomicLong();
        private final AtomicInteger broken = new AtomicInteger();

        /** How often two owners were inside, or a token was not greater than the one before. */
        int broken() {
            return broken.get();
        }

        void enter(LockHold hold) {
            if (inside.incrementAndGet() != 1 || token.getAndSet(hold.fencingToken()) >= hold.fencingToken()) {
                broken.incrementAndGet();
            }
            inside.decrementAndGet();
        }
    }

    HotClient(LockClient client, String name, Site site, int count) {
        this.lock = client.getLock(name);
        this.site = site;
        for (int i = 0; i < count; i++) {
            threads.add(Interruptible.start(this::run));
        }
    }

    private void run() throws InterruptedException {
        while (!stopped.get()) {
            LockHold hold = lock.tryAcquire(Duration.ofSeconds(30)).orElseThrow();
            try {
                site.enter(hold);
                grants.incrementAndGet();
                hold.release();
            } catch (LockLostException | LockException lost) {
                losses.incrementAndGet();
            }
        }
    }

    int grants() {
        return grants.get();
    }

    int losses() {
        return losses.get();
    }

    @Override
    public void close() {
        stopped.set(true);
        threads.forEach(Interruptible::awaitEnd);
    }
}
