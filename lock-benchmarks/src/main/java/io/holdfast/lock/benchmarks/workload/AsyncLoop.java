package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.benchmarks.peer.HoldMode;
import io.holdfast.lock.benchmarks.peer.PeerKind;
import io.holdfast.lock.benchmarks.peer.PeerLock;
import io.holdfast.lock.benchmarks.result.Metric;
import io.holdfast.lock.benchmarks.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Locks that are locked and unlocked by futures, each again as soon as it is free. */
final class AsyncLoop {

    /** Owners that are no threads: ids that no thread has. */
    private static final long FIRST_OWNER = 1_000_000;

    private static final long PATIENCE_SECONDS = 60;

    private final Histogram latency = new ConcurrentHistogram(Histograms.create());
    private final AtomicLong inTime = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch running;
    private long startNanos;
    private long lengthNanos;

    private AsyncLoop(int inFlight) {
        running = new CountDownLatch(inFlight);
    }

    static Sample run(Site site, PeerKind kind, int inFlight, Round round) {
        AsyncLoop loop = new AsyncLoop(inFlight);
        List<Lane> lanes = new ArrayList<>();
        for (int lane = 0; lane < inFlight; lane++) {
            lanes.add(loop.new Lane(site.peer(kind, 0).lock("async-" + lane, HoldMode.LEASE), FIRST_OWNER + lane));
        }
        Meter meter = Meter.start(site.servers());
        loop.startNanos = System.nanoTime();
        loop.lengthNanos = TimeUnit.MILLISECONDS.toNanos(round.millis());
        lanes.forEach(Lane::begin);
        loop.await(kind);
        Sample.Builder sample = Sample.builder()
                .latency(loop.latency)
                .value(Metric.THROUGHPUT, loop.inTime.get() * 1e9 / loop.lengthNanos);
        meter.finish(sample, loop.latency.getTotalCount());
        lanes.forEach(lane -> lane.lock.close());
        return sample.build();
    }

    private void await(PeerKind kind) {
        try {
            if (!running.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(kind.title() + ": " + running.getCount()
                        + " locks are still under way after " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while locks were under way", interrupted);
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(kind.title() + ": an asynchronous call failed", failed);
        }
    }

    /** One lock and its owner. */
    private final class Lane {

        private final PeerLock lock;
        private final long owner;
        private long beginNanos;

        Lane(PeerLock lock, long owner) {
            this.lock = lock;
            this.owner = owner;
        }

        void begin() {
            beginNanos = System.nanoTime();
            lock.lockAsync(owner).whenComplete((held, failed) -> {
                if (failed != null) {
                    end(failed);
                } else {
                    release();
                }
            });
        }

        private void release() {
            lock.unlockAsync(owner).whenComplete((released, failed) -> {
                if (failed != null) {
                    end(failed);
                } else {
                    next();
                }
            });
        }

        private void next() {
            long nowNanos = System.nanoTime();
            Histograms.record(latency, nowNanos - beginNanos);
            if (nowNanos - startNanos <= lengthNanos) {
                inTime.incrementAndGet();
                begin();
            } else {
                running.countDown();
            }
        }

        private void end(Throwable failed) {
            failure.compareAndSet(null, failed);
            running.countDown();
        }
    }
}
