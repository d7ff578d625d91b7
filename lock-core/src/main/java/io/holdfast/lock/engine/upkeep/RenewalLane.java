package io.holdfast.lock.engine.upkeep;

import io.holdfast.lock.engine.hold.StoreLease;
import io.holdfast.lock.engine.key.Store;
import io.holdfast.lock.engine.kind.LockKind;
import io.holdfast.lock.spi.ScriptCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The leases with one keeper, a store or a node of a cluster, that wait for a renewal, and the round of batches that is in
 * flight.
 *
 * <p>A round has a batch for each shard of the store and each kind of lock: of one kind, one for a server, and one for
 * each slot in a cluster. So what is in flight at a node is bounded by leases, however many calls they take, and
 * nothing is kept for a shard between two rounds.
 *
 * <p>Belongs to the steps of the watchdog.
 *
 * @param <B> the calls of a round
 */
final class RenewalLane<B extends ScriptCall> {

    final Store store;
    private final ArrayDeque<StoreLease> ready = new ArrayDeque<>();
    /** The round that is being put together: the batches, in the order in which their shards came. */
    private final List<B> round = new ArrayList<>();
    /** The same by shard, for each kind of lock; nearly always there is one kind. */
    private final Map<LockKind, Map<Object, B>> byShard = new LinkedHashMap<>();

    private int inFlight;
    private long sentNanos;
    private long answerNanos;
    private boolean slotBySlot;

    RenewalLane(Store store) {
        this.store = store;
    }

    void add(StoreLease lease) {
        ready.add(lease);
    }

    @Nullable
    StoreLease poll() {
        return ready.poll();
    }

    /** The lease that has waited longest; there is one. */
    StoreLease first() {
        return ready.element();
    }

    int size() {
        return ready.size();
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** Forgets what waits. */
    void clear() {
        ready.clear();
    }

    // --- the round ---

    /** What the leases of one batch have in common. */
    Object shard(int slot) {
        return slotBySlot ? slot : store.backend().shard(slot);
    }

    /** The batch of a shard and a kind in the round that is being put together, if it has one yet. */
    @Nullable
    B batch(Object shard, LockKind kind) {
        Map<Object, B> ofKind = byShard.get(kind);
        return ofKind == null ? null : ofKind.get(shard);
    }

    boolean hasBatches() {
        return !round.isEmpty();
    }

    void add(Object shard, LockKind kind, B batch) {
        byShard.computeIfAbsent(kind, absent -> new LinkedHashMap<>()).put(shard, batch);
        round.add(batch);
    }

    /** Sends the round. */
    void send(long now) {
        inFlight = round.size();
        sentNanos = now;
        store.backend().sendAll(round);
        round.clear();
        byShard.values().forEach(Map::clear);
    }

    boolean isInFlight() {
        return inFlight > 0;
    }

    /** A batch has its answer, or will get none. */
    void ended(long now) {
        inFlight--;
        answerNanos = now - sentNanos;
    }

    /** How long the last round was under way. */
    long answerNanos() {
        return answerNanos;
    }

    /** Puts calls in the place of one whose end is not counted. */
    void sendInstead(List<B> calls) {
        inFlight += calls.size() - 1;
        store.backend().sendAll(calls);
    }

    /** Whether it may be forgotten: nothing waits nor is in flight, and it has learned nothing. */
    boolean isIdle() {
        return inFlight == 0 && ready.isEmpty() && !slotBySlot;
    }

    /** The server has refused keys of several slots in one call, whatever it says of its mode. */
    void sendSlotBySlot() {
        slotBySlot = true;
    }
}
