package io.holdfast.lock.examples.cluster;

import io.holdfast.lock.FencedValue;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.RLock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Takes one lock again and again; while it has it, it reads a number, thinks, and writes the number greater by one, with the token
 * of its hold.
 */
final class Worker extends Thread {

    private final RLock lock;
    private final FencedValue number;
    private final LockCounts counts;
    private final long thinkMicros;
    private final Consumer<String> granted;
    private final BooleanSupplier over;

    /**
     * @param granted is told the lock's name at each grant
     * @param over whether the worker is to go home
     */
    Worker(
            RLock lock,
            FencedValue number,
            LockCounts counts,
            long thinkMicros,
            Consumer<String> granted,
            BooleanSupplier over) {
        super("worker-of-" + lock.getName());
        this.lock = lock;
        this.number = number;
        this.counts = counts;
        this.thinkMicros = thinkMicros;
        this.granted = granted;
        this.over = over;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            while (!over.getAsBoolean()) {
                tryToCount();
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryToCount() throws InterruptedException {
        long askedNanos = System.nanoTime();
        try (LockHold hold = lock.acquire()) {
            long token = hold.fencingToken();
            counts.grant(token, System.nanoTime() - askedNanos);
            granted.accept(lock.getName());
            hold.onLost(loss -> counts.loss());
            countOne(token);
        } catch (LockLostException told) {
            // Counted when it was told.
        } catch (LockException fault) {
            counts.failure();
        }
    }

    private void countOne(long token) throws InterruptedException {
        long before = number.get(token).map(Long::parseLong).orElse(0L);
        TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(thinkMicros / 2, thinkMicros * 3 / 2 + 1));
        if (number.set(String.valueOf(before + 1), token)) {
            counts.count();
        } else {
            counts.refusal();
        }
    }
}
