package io.holdfast.lock.tests.looking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.RLock;
import io.holdfast.lock.tests.support.Futures;
import io.holdfast.lock.tests.support.ServerTest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store with 100,000 locks and 1,000,000 other keys is listed while 16 threads want one lock. */
@Tag("long")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SearchUnderLoadTest extends ServerTest {

    private static final int LOCKS = 100_000;
    private static final int OTHERS = 1_000_000;
    private static final int THREADS = 16;

    private static final String FILL =
            """
            for i = 1, tonumber(ARGV[2]) do redis.call('SET', 'other:' .. ARGV[1] .. ':' .. i, 'x') end
            for i = 1, tonumber(ARGV[3]) do
              local lock = 'holdfast:{stored ' .. ARGV[1] .. ' ' .. i .. '}'
              redis.call('HSET', lock, 'someone:1:1', '1', 'token', '5')
              redis.call('PEXPIRE', lock, 600000)
            end""";

    @Test
    void everyLockComesOnceAndLockingGoesOn() throws Exception {
        for (int part = 0; part < 10; part++) {
            raw.command("EVAL", FILL, "0", "" + part, "" + OTHERS / 10, "" + LOCKS / 10);
        }
        LockClient client = connect();
        LockClient reader = connect();
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong taken = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            workers.add(CompletableFuture.runAsync(() -> work(client.getLock("contended"), over, taken), threads));
        }
        TimeUnit.SECONDS.sleep(5);
        List<String> names = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        double seconds = 0;
        try (Stream<LockInfo> locks = reader.locks(LockQuery.prefix("stored"))) {
            Iterator<LockInfo> all = locks.iterator();
            while (all.hasNext()) {
                // In turns, for a machine is not equally fast all the time.
                double alone = rate(taken, () -> TimeUnit.SECONDS.sleep(1));
                long begun = System.nanoTime();
                ratios.add(rate(taken, () -> readFor(TimeUnit.SECONDS.toNanos(2), all, names)) / alone);
                seconds += (System.nanoTime() - begun) / 1e9;
            }
        }
        over.set(true);
        workers.forEach(Futures::get);
        threads.shutdown();
        System.out.printf(
                "%,d locks listed in %.1f s; meanwhile a contended lock was taken %.2f times as often as else%n",
                names.size(),
                seconds,
                ratios.stream().sorted().skip(ratios.size() / 2).findFirst().orElseThrow());
        assertThat(names).hasSize(LOCKS).doesNotHaveDuplicates();
        raw.command("FLUSHALL");
    }

    private static void readFor(long nanos, Iterator<LockInfo> locks, List<String> names) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < nanos && locks.hasNext()) {
            names.add(locks.next().name());
        }
    }

    private static void work(RLock lock, AtomicBoolean over, AtomicLong taken) {
        while (!over.get()) {
            LockHold hold = Futures.get(lock.acquireAsync());
            hold.close();
            taken.incrementAndGet();
        }
    }

    private interface Meanwhile {
        void run() throws InterruptedException;
    }

    /** How often it is taken in a second. */
    private static double rate(AtomicLong taken, Meanwhile meanwhile) throws InterruptedException {
        long at = taken.get();
        long begun = System.nanoTime();
        meanwhile.run();
        return (taken.get() - at) / ((System.nanoTime() - begun) / 1e9);
    }
}
