package io.holdfast.lock.examples.cluster;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.testkit.ServerCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Locks that this process holds from the beginning to the end, under the watchdog: each in the slot of a lock of the workers. */
final class WatchedLocks implements AutoCloseable {

    private final LockClient client;
    private final List<LockHold> holds = new ArrayList<>();
    private final Map<String, String> losses = new ConcurrentHashMap<>();
    private final long startNanos = System.nanoTime();

    private WatchedLocks(LockClient client) {
        this.client = client;
    }

    /** Takes one lock in the slot of each of these. */
    static WatchedLocks take(String lockUrl, Duration lease, List<String> besides) throws InterruptedException {
        ClientOptions options = ClientOptions.builder()
                .clientName("watched")
                .lockOptions(LockOptions.builder().watchdogLease(lease).build())
                .build();
        WatchedLocks locks = new WatchedLocks(LockClient.connect(lockUrl, options));
        try {
            for (String beside : besides) {
                LockHold hold = locks.client.getLock(nameBeside(beside)).acquire();
                locks.holds.add(hold.onLost(
                        loss -> locks.losses.put(hold.name(), loss.reason().toString())));
            }
            return locks;
        } catch (RuntimeException failed) {
            locks.client.close();
            throw failed;
        }
    }

    /** Another name in the slot of a lock: a slot is that of the name alone. */
    static String nameBeside(String lock) {
        int slot = ServerCluster.slotOf(lock);
        return IntStream.iterate(1, number -> number + 1)
                .mapToObj(number -> "watched-" + number)
                .filter(name -> ServerCluster.slotOf(name) == slot)
                .findFirst()
                .orElseThrow();
    }

    List<LockHold> holds() {
        return holds;
    }

    long heldNanos() {
        return System.nanoTime() - startNanos;
    }

    /** Why a lock was lost; empty if it is held. */
    String loss(LockHold hold) {
        return losses.getOrDefault(hold.name(), "");
    }

    boolean areAllHeld() {
        return losses.isEmpty();
    }

    @Override
    public void close() {
        try {
            holds.forEach(this::release);
        } finally {
            client.close();
        }
    }

    private void release(LockHold hold) {
        try {
            hold.close();
        } catch (LockLostException lost) {
            losses.put(hold.name(), lost.lossReason().toString());
        }
    }
}
