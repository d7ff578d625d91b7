package io.holdfast.lock.benchmarks.workload;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.benchmarks.peer.RedissonPeer;
import io.holdfast.lock.benchmarks.peer.Transport;
import io.holdfast.lock.testkit.RawRedis;
import io.holdfast.lock.testkit.RedisErrorReply;
import io.holdfast.lock.testkit.RedisServer;
import io.holdfast.lock.testkit.ServerCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/**
 * How soon locks are granted again after {@code kill -9} of their primary, by Holdfast and by Redisson on one cluster, both with
 * their defaults. The clock that counts starts when the slots are served again: what comes before is the nodes' own time.
 */
public final class ClusterFailover {

    /** No answer of the old primary is on its way any more. */
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private ClusterFailover() {}

    /**
     * What was measured, in milliseconds.
     *
     * @param served from the kill until the slots are served again
     * @param holdfast from there to Holdfast's first grant
     * @param redisson from there to Redisson's first grant
     */
    public record Times(double served, double holdfast, double redisson) {}

    /** Kills a primary of a new cluster of three, each of which has a replica. */
    public static Times measure(Duration nodeTimeout) throws InterruptedException {
        try (ServerCluster cluster = ServerCluster.builder()
                        .masters(3)
                        .replicas(1)
                        .nodeTimeout(nodeTimeout)
                        .start();
                LockClient holdfast = LockClient.connect(cluster.url())) {
            RedisServer old = cluster.masters().get(0);
            RedisServer heir = cluster.replicaOf(old);
            String ours = nameAt(cluster, "holdfast-", old);
            String theirs = nameAt(cluster, "redisson-", old);
            RedissonClient redisson = Redisson.create(RedissonPeer.config(cluster.url(), Transport.DEFAULT));
            try (Grants byUs = new Grants(holdfast.getLock(ours));
                    Grants byThem = new Grants(redisson.getLock(theirs))) {
                byUs.awaitAfter(System.nanoTime(), LONGEST);
                byThem.awaitAfter(System.nanoTime(), LONGEST);
                old.kill();
                long killedNanos = System.nanoTime();
                long servedNanos = awaitServed(heir, ours);
                long fromNanos = killedNanos + SETTLED_NANOS;
                return new Times(
                        millis(servedNanos - killedNanos),
                        millis(Math.max(0, byUs.awaitAfter(fromNanos, LONGEST) - servedNanos)),
                        millis(Math.max(0, byThem.awaitAfter(fromNanos, LONGEST) - servedNanos)));
            } finally {
                redisson.shutdown(0, 2, TimeUnit.SECONDS);
            }
        }
    }

    private static String nameAt(ServerCluster cluster, String beginning, RedisServer primary) {
        int slot = ServerCluster.slotOf(cluster.tagAt(primary));
        List<String> names = SlotNames.of(beginning, 1, wanted -> wanted == slot);
        return names.get(0);
    }

    /** When a node first answers for a key; asked all the time. */
    private static long awaitServed(RedisServer heir, String key) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + LONGEST.toNanos();
        try (RawRedis raw = heir.connect()) {
            while (!serves(raw, key)) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("the slots of " + heir + " were not served within " + LONGEST);
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            return System.nanoTime();
        }
    }

    private static boolean serves(RawRedis raw, String key) {
        try {
            raw.command("EXISTS", key);
            return true;
        } catch (RedisErrorReply movedOrDown) {
            return false;
        }
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
