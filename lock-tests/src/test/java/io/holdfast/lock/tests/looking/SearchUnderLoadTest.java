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
        double before = rate(taken);
        long takenBefore = taken.get();
        long begun = System.nanoTime();
        List<String> names;
        try (Stream<LockInfo> locks = reader.locks(LockQuery.prefix("stored"))) {
            names = locks.map(LockInfo::name).toList();
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        double during = (taken.get() - takenBefore) / seconds;
        double after = rate(taken);
        over.set(true);
        workers.forEach(Futures::get);
        threads.shutdown();
        System.out.printf(
                "%,d locks listed in %.1f s; a contended lock was taken %,.0f times in a second before, %,.0f during, %,.0f after:"
                        + " %.2f%n",
                names.size(), seconds, before, during, after, 2 * during / (before + after));
        assertThat(names).hasSize(LOCKS).doesNotHaveDuplicates();
        raw.command("FLUSHALL");
    }

    private static void work(RLock lock, AtomicBoolean over, AtomicLong taken) {
        while (!over.get()) {
            LockHold hold = Futures.get(lock.acquireAsync());
            hold.close();
            taken.incrementAndGet();
        }
    }

    /** How often it is taken in a second, over three of them. */
    private static double rate(AtomicLong taken) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        long at = taken.get();
        long begun = System.nanoTime();
        TimeUnit.SECONDS.sleep(3);
        return (taken.get() - at) / ((System.nanoTime() - begun) / 1e9);
    }
}
