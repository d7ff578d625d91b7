package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import io.holdfast.lock.benchmarks.result.Turn;
import io.holdfast.lock.testkit.RedisServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Threads that each do one operation after the other until the time is over. What is measured is service time: a thread
 * that waits for a slow operation does not begin others meanwhile, so this tells what a caller sees who has nothing else
 * to do, and not what arrivals at a rate would see; that is the open loop's.
 *
 * <p>Operations that are under way when the time is over are finished and their times counted, or the longest waits
 * would be left out. For the throughput only those count that ended in time.
 */
final class ClosedLoop {

    /** How much of a round is kept for the timeline. */
    private static final long TIMELINE_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private static final int MOST_TURNS_OF_ONE = 2_000;

    private ClosedLoop() {}

    /** One party's work. */
    interface Operation {
        /** Does it once; {@code marks} is told when a lock was granted and until when it was used. */
        void run(Marks marks);
    }

    /** When the lock of the last operation was held. */
    static final class Marks {
        long grantedNanos;
        long doneNanos;
    }

    private record Part(Histogram latency, long served, List<Turn> turns, long endedNanos) {}

    /** Runs all parties at the same time, with their costs measured at these servers. */
    static Sample run(Crew crew, List<? extends Operation> parties, Round round, List<RedisServer> servers) {
        CountDownLatch ready = new CountDownLatch(parties.size());
        CountDownLatch go = new CountDownLatch(1);
        long lengthNanos = TimeUnit.MILLISECONDS.toNanos(round.millis());
        long[] startNanos = {0};
        List<Callable<Part>> parts = new ArrayList<>();
        for (int party = 0; party < parties.size(); party++) {
            int number = party;
            Operation operation = parties.get(party);
            parts.add(() -> {
                Histogram latency = Histograms.create();
                ready.countDown();
                go.await();
                return work(operation, number, latency, startNanos[0], lengthNanos, round.keepsTurns());
            });
        }
        List<Future<Part>> running = crew.start(parts);
        // On this thread from beginning to end: what the measuring itself allocates is left out by its thread.
        awaitAll(ready, running);
        Meter meter = Meter.start(servers);
        startNanos[0] = System.nanoTime();
        go.countDown();
        List<Part> done = Crew.await(running);
        Sample.Builder sample = sample(done, startNanos[0], lengthNanos);
        meter.finish(
                sample,
                done.stream().mapToLong(part -> part.latency.getTotalCount()).sum());
        return sample.build();
    }

    private static void awaitAll(CountDownLatch ready, List<Future<Part>> running) {
        try {
            ready.await();
        } catch (InterruptedException interrupted) {
            running.forEach(part -> part.cancel(true));
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the load began", interrupted);
        }
    }

    private static Part work(
            Operation operation, int party, Histogram latency, long startNanos, long lengthNanos, boolean keepsTurns) {
        Marks marks = new Marks();
        List<Turn> turns = new ArrayList<>(keepsTurns ? MOST_TURNS_OF_ONE : 0);
        long served = 0;
        long beginNanos = System.nanoTime();
        do {
            operation.run(marks);
            long endNanos = System.nanoTime();
            Histograms.record(latency, endNanos - beginNanos);
            if (endNanos - startNanos <= lengthNanos) {
                served++;
            }
            if (keepsTurns && marks.grantedNanos - startNanos < TIMELINE_NANOS && turns.size() < MOST_TURNS_OF_ONE) {
                turns.add(new Turn(party, marks.grantedNanos - startNanos, marks.doneNanos - startNanos));
            }
            beginNanos = endNanos;
        } while (beginNanos - startNanos < lengthNanos);
        return new Part(latency, served, turns, beginNanos);
    }

    private static Sample.Builder sample(List<Part> parts, long startNanos, long lengthNanos) {
        Histogram latency = Histograms.create();
        parts.forEach(part -> latency.add(part.latency));
        long[] served = parts.stream().mapToLong(Part::served).toArray();
        long inTime = parts.stream().mapToLong(Part::served).sum();
        double seconds = lengthNanos / 1e9;
        if (inTime == 0) {
            // Nothing was done in time: the whole time that it took counts instead.
            inTime = latency.getTotalCount();
            seconds = parts.stream()
                            .mapToLong(part -> part.endedNanos - startNanos)
                            .max()
                            .orElse(lengthNanos)
                    / 1e9;
        }
        return Sample.builder()
                .latency(latency)
                .served(served)
                .value(Metric.THROUGHPUT, inTime / seconds)
                .turns(parts.stream()
                        .flatMap(part -> part.turns.stream())
                        .sorted(Comparator.comparingLong(Turn::startNanos))
                        .toList());
    }
}
