package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.RLock;
import io.holdfast.lock.benchmarks.peer.HoldfastPeer;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A slot that is in migration for long: what becomes of watched locks there, and how long a free lock takes. The first half of the
 * time no key has moved; then half of the keys are at the target, and the token clock is one of them.
 */
public final class ClusterMove {

    private ClusterMove() {}

    /**
     * What calls for the free lock took.
     *
     * @param grants how many there were
     * @param medianMillis the median of their waits
     * @param longestMillis the longest
     */
    public record Waits(long grants, double medianMillis, double longestMillis) {}

    /**
     * What was measured.
     *
     * @param before waits as long before the move
     * @param unmoved waits while the slot was open, and no key had moved
     * @param halfMoved waits while half of the keys were at the target
     * @param lost watched locks that were lost
     */
    public record Result(Waits before, Waits unmoved, Waits halfMoved, int lost) {

        public double longestMillis() {
            return Math.max(unmoved.longestMillis(), halfMoved.longestMillis());
        }
    }

    /** Moves a slot of a new cluster of three primaries. */
    public static Result measure(int watched, Duration lease, Duration open) throws InterruptedException {
        try (ServerCluster cluster = ServerCluster.start(3, 0);
                LockClient client = connect(cluster, lease)) {
            RedisServer source = cluster.masters().get(0);
            int slot = ServerCluster.slotOf(cluster.tagAt(source));
            List<String> names = SlotNames.of("watched-", watched, wanted -> wanted == slot);
            RLock free = client.getLock(
                    SlotNames.of("free-", 1, wanted -> wanted == slot).get(0));
            List<LockHold> holds = new ArrayList<>();
            for (String name : names) {
                holds.add(client.getLock(name).acquire());
            }
            takeAgainAndAgain(free, open.dividedBy(2));
            Waits before = takeAgainAndAgain(free, open.dividedBy(2));
            SlotMove move = cluster.beginMove(slot, cluster.masters().get(1));
            Waits unmoved = takeAgainAndAgain(free, open.dividedBy(2));
            moveHalf(move);
            Waits halfMoved = takeAgainAndAgain(free, open.dividedBy(2));
            move.moveKeys();
            move.finish();
            int lost = 0;
            for (LockHold hold : holds) {
                lost += wasLost(hold) ? 1 : 0;
            }
            return new Result(before, unmoved, halfMoved, lost);
        }
    }

    private static boolean wasLost(LockHold hold) {
        try {
            hold.close();
            return false;
        } catch (LockLostException lost) {
            return true;
        }
    }

    private static LockClient connect(ServerCluster cluster, Duration lease) {
        LockOptions options = LockOptions.builder().watchdogLease(lease).build();
        return LockClient.connect(
                cluster.url(),
                HoldfastPeer.options(Transport.DEFAULT).lockOptions(options).build());
    }

    private static Waits takeAgainAndAgain(RLock lock, Duration time) {
        Histogram waits = Histograms.create();
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < time.toNanos()) {
            long askedNanos = System.nanoTime();
            lock.lock();
            Histograms.record(waits, System.nanoTime() - askedNanos);
            lock.unlock();
        }
        return new Waits(waits.getTotalCount(), millis(waits.getValueAtPercentile(50)), millis(waits.getMaxValue()));
    }

    /** The token clock, and every other of the other keys. */
    private static void moveHalf(SlotMove move) {
        boolean next = false;
        for (String key : move.keysLeft()) {
            boolean isClock = key.contains(":token:");
            if (isClock || next) {
                move.moveKey(key);
            }
            next ^= !isClock;
        }
    }

    private static double millis(long nanos) {
        return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
