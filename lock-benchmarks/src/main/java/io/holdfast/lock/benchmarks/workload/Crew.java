package io.holdfast.lock.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that put load on peers. They stay from round to round, so that what they allocate can be asked after. */
final class Crew implements AutoCloseable {

    private final ExecutorService threads;

    Crew() {
        AtomicInteger made = new AtomicInteger();
        ThreadFactory factory = work -> {
            Thread thread = new Thread(work, "load-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        threads = Executors.newCachedThreadPool(factory);
    }

    /** Runs all at the same time and waits for them. */
    <T> List<T> run(List<? extends Callable<T>> parts) {
        return await(start(parts));
    }

    <T> List<Future<T>> start(List<? extends Callable<T>> parts) {
        return parts.stream().<Future<T>>map(threads::submit).toList();
    }

    /** Waits for what was started; the first failure is thrown when all have ended. */
    static <T> List<T> await(List<Future<T>> running) {
        List<T> results = new ArrayList<>();
        RuntimeException failure = null;
        for (Future<T> part : running) {
            try {
                results.add(part.get());
            } catch (ExecutionException failed) {
                failure = failure != null
                        ? failure
                        : new IllegalStateException("a part of the load failed", failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the load ran", interrupted);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
