package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Many seeds of one workload, one after the other, on several threads. Every seed is a world of its own, so threads have
 * nothing in common but the numbers that they take.
 */
final class Campaign {

    private final Workload workload;
    private final AtomicLong next;
    private final long end;
    private final boolean stopAtFirst;
    private final Tally tally = new Tally();
    private final List<Verdict> failures = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
    private final AtomicLong lowestFailure = new AtomicLong(Long.MAX_VALUE);

    /** @param stopAtFirst whether to end with the lowest seed that fails */
    Campaign(Workload workload, long from, long count, boolean stopAtFirst) {
        this.workload = workload;
        this.next = new AtomicLong(from);
        this.end = from + count;
        this.stopAtFirst = stopAtFirst;
    }

    /** Runs seeds until there are no more, or somebody says so. */
    void run(int threads, BooleanSupplier enough) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(() -> work(enough), "simulation-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        Throwable bug = defect.get();
        if (bug != null) {
            throw new IllegalStateException("the simulator itself has failed", bug);
        }
    }

    private void work(BooleanSupplier enough) {
        try {
            while (!enough.getAsBoolean()) {
                long seed = next.getAndIncrement();
                if (seed >= end || (stopAtFirst && seed > lowestFailure.get())) {
                    return;
                }
                add(Simulation.run(workload, seed, null));
            }
        } catch (RuntimeException | Error bug) {
            defect.compareAndSet(null, bug);
        } finally {
            ThreadPool.dismiss();
        }
    }

    private synchronized void add(Verdict verdict) {
        tally.add(verdict.tally());
        if (!verdict.passed()) {
            failures.add(verdict);
            lowestFailure.accumulateAndGet(verdict.seed(), Math::min);
        }
    }

    /** What has happened so far. */
    synchronized Tally tally() {
        Tally sum = new Tally();
        sum.add(tally);
        return sum;
    }

    /** The seeds that failed so far, the lowest first. */
    synchronized List<Verdict> failures() {
        return failures.stream()
                .sorted((one, other) -> Long.compare(one.seed(), other.seed()))
                .toList();
    }
}
