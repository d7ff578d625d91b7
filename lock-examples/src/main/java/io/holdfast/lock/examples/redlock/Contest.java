package io.holdfast.lock.examples.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import io.holdfast.lock.examples.console.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that all raise one counter, each under the lock: read it, let others run, write it one higher. The counter has
 * no other protection, so any two of them inside the lock at once would lose an update sooner or later.
 */
final class Contest {

    private final List<RLock> locks;
    private volatile int counter;
    private volatile long newestToken;
    private volatile boolean over = true;

    private final AtomicInteger acquired = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger outOfOrder = new AtomicInteger();
    private final List<Contender> contenders = new ArrayList<>();
    private int counterAtStart;
    private long startNanos;

    /** @param locks one lock, by the objects of different clients */
    Contest(List<RLock> locks) {
        this.locks = locks;
    }

    /** What came of one round. */
    record Result(int acquired, int lostUpdates, int failed, int outOfOrder, double seconds, Samples waits) {}

    /** Lets all clients go, each in a thread of its own. */
    void start() {
        over = false;
        acquired.set(0);
        failed.set(0);
        outOfOrder.set(0);
        counterAtStart = counter;
        startNanos = System.nanoTime();
        for (RLock lock : locks) {
            Contender contender = new Contender(lock);
            contenders.add(contender);
            contender.start();
        }
    }

    /** How often the lock was acquired since the start. */
    int acquired() {
        return acquired.get();
    }

    /** Ends the round, when everybody has given back what he holds. */
    Result stop() throws InterruptedException {
        over = true;
        Samples waits = new Samples();
        for (Contender contender : contenders) {
            contender.join();
            waits.addAll(contender.waits);
        }
        contenders.clear();
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        int lost = acquired.get() - (counter - counterAtStart);
        return new Result(acquired.get(), lost, failed.get(), outOfOrder.get(), seconds, waits);
    }

    /** One client. */
    private final class Contender extends Thread {

        private final RLock lock;
        private final Samples waits = new Samples();

        Contender(RLock lock) {
            super("contender");
            this.lock = lock;
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!over) {
                try {
                    raiseCounter();
                } catch (LockException | LockLostException fault) {
                    failed.incrementAndGet();
                } catch (InterruptedException enough) {
                    return;
                }
            }
        }

        private void raiseCounter() throws InterruptedException {
            long askedNanos = System.nanoTime();
            try (LockHold hold = lock.acquire()) {
                waits.add(System.nanoTime() - askedNanos);
                int seen = counter;
                Thread.yield();
                if (hold.fencingToken() <= newestToken) {
                    outOfOrder.incrementAndGet();
                }
                newestToken = hold.fencingToken();
                counter = seen + 1;
                acquired.incrementAndGet();
            }
        }
    }
}
