package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.Calls;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.replication.Wish;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.holdfast.lock.spi.ServerReport.Slots;
import io.holdfast.lock.spi.Subscription;
import io.holdfast.lock.spi.Wakeup;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where calls to a cluster go in: any thread adds them, and the event loop passes them on to the nodes in the order in which
 * they came.
 */
public final class ClusterTraffic {

    private static final Logger log = LoggerFactory.getLogger(ClusterTraffic.class);

    /** What the cluster's backend hears, on the event loop. */
    public interface Listener {

        /** It is known which node is the primary of which slot. */
        void mapped();

        /** No node has told; another round of questions follows. */
        void unmapped(Fault fault);

        /** Calls of these slots go to another node than before. */
        void led(BitSet slots);

        /** A node is connected. */
        void up(ClusterNode node);

        /** A connection is gone. */
        void down(ClusterNode node, Fault fault, boolean wasLast);

        /** A node could not be connected. */
        void unreachable(ClusterNode node, Fault fault);
    }

    /** How many new calls are passed on before the event loop turns to something else. */
    private static final int MOST_PER_TURN = 1_024;

    /** How often the map is asked for without a reason: nothing tells an idle client that a node is new. */
    private static final long MAP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final EventLoop loop;
    private final Runtime runtime;
    private final long idleNanos;
    private final Room room;
    private final String cluster;
    private final Listener listener;
    private final Queue<ScriptCall> entrance = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean passingScheduled = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Calls refused = new Calls(Traffic.ALONE);

    private final Nodes nodes;
    private final MapKeeper map;
    private final SlotSubscriptions subscriptions;
    private final SlotTraffic slots;
    /** How many holds there are in each slot. */
    private final AtomicIntegerArray holds = new AtomicIntegerArray(SlotMap.SLOTS);

    private @Nullable ScheduledFuture<?> nextMap;
    /** Null before the first connection. */
    private @Nullable ScheduledFuture<?> nextRest;

    /**
     * Traffic that has not begun: nothing is connected before the first call, or before {@link #start}.
     *
     * @param loop on which everything of the cluster runs
     * @param queueLimit how many ordinary calls may wait to be written, at all nodes together
     * @param patienceNanos how long a call may wait to be written
     * @param idleNanos after how long without anything to do the connections to a node end
     * @param cluster its name for messages
     */
    public ClusterTraffic(
            EventLoop loop,
            Runtime runtime,
            ClusterNetwork network,
            List<Target.Host> seeds,
            int queueLimit,
            long patienceNanos,
            long idleNanos,
            String cluster,
            Listener listener) {
        this.loop = loop;
        this.runtime = runtime;
        this.idleNanos = idleNanos;
        this.room = new Room(queueLimit, patienceNanos);
        this.cluster = cluster;
        this.listener = listener;
        NodeEvents events = new NodeEvents();
        this.nodes = new Nodes(host -> new ClusterNode(host, network, runtime, room, events), runtime);
        this.map = new MapKeeper(loop, runtime, network, seeds, events);
        this.subscriptions = new SlotSubscriptions(this::step);
        LedSlots led = new LedSlots(loop, listener::led);
        this.slots = new SlotTraffic(loop, runtime, room, patienceNanos, cluster, nodes, map, subscriptions, led);
    }

    /** The event loop on which everything of the cluster runs. */
    public EventLoop loop() {
        return loop;
    }

    /** Asks which node is the primary of which slot. Any thread. */
    public void start() {
        step(map::ask);
    }

    /** The node that calls of a slot are sent to; null if it is not known, or there is none. Any thread. */
    public @Nullable ClusterNode primary(int slot) {
        return slots.primary(slot);
    }

    /** One slot of each primary; any slot if none is known. Any thread. */
    public List<Integer> parts() {
        List<Integer> parts = new ArrayList<>();
        Set<ClusterNode> seen = new HashSet<>();
        for (int slot = 0; slot < SlotMap.SLOTS; slot++) {
            ClusterNode primary = slots.primary(slot);
            if (primary != null && seen.add(primary)) {
                parts.add(slot);
            }
        }
        return parts.isEmpty() ? List.of(0) : parts;
    }

    /** The nodes that the client has to do with. Any thread. */
    public Collection<ClusterNode> nodes() {
        return nodes.all();
    }

    /** The nodes that calls of a slot go to: its primary, and while it is being moved, the node it is on its way to. Any thread. */
    public List<ClusterNode> nodesOf(int slot) {
        return slots.nodesOf(slot);
    }

    /**
     * What asks replicas for one client. Any thread.
     *
     * @param longestNanos how long a node's replicas may take to be heard, at most
     */
    public Replication replication(Wish wish, long longestNanos) {
        return new NodeReplicas(loop, slots, wish, longestNanos, cluster);
    }

    /**
     * A primary, by the latest map.
     *
     * @param failed whether most primaries call it failed
     */
    public record Primary(ClusterNode node, List<Slots> slots, boolean failed) {}

    /** All primaries; none while there is no map. On the event loop. */
    public List<Primary> primaries() {
        Map<ClusterNode, List<Slots>> shares = new LinkedHashMap<>();
        int first = 0;
        for (int slot = 1; slot <= SlotMap.SLOTS; slot++) {
            ClusterNode primary = slots.primary(first);
            if (slot == SlotMap.SLOTS || slots.primary(slot) != primary) {
                if (primary != null) {
                    shares.computeIfAbsent(primary, one -> new ArrayList<>()).add(new Slots(first, slot - 1));
                }
                first = slot;
            }
        }
        return shares.entrySet().stream()
                .map(each -> new Primary(
                        each.getKey(),
                        List.copyOf(each.getValue()),
                        each.getKey().isFailed()))
                .toList();
    }

    /** How the connections stand. Any thread. */
    public Stream<NodeConnection> look() {
        return nodes.all().stream().flatMap(ClusterNode::look);
    }

    /** There are so many holds more in a slot, or fewer: the connection to its primary is not ended as idle. Any thread. */
    public void keeps(int slot, int more) {
        holds.addAndGet(slot, more);
    }

    // --- calls; any thread ---

    /** Sends a call. One that can't even be queued hears so before this returns. */
    public void send(ScriptCall call) {
        if (offer(call)) {
            passSoon();
        }
    }

    /** The same for several, which are written together where they go to one node. */
    public void sendAll(Collection<? extends ScriptCall> calls) {
        boolean any = false;
        for (ScriptCall call : calls) {
            any |= offer(call);
        }
        if (any) {
            passSoon();
        }
    }

    /** Runs a task once on the event loop, when there is room for ordinary calls, with the number of places. */
    public void whenRoom(IntConsumer task) {
        room.seek(task);
        if (room.isHalfEmpty()) {
            tellOfRoomSoon();
        }
    }

    /** Subscribes to a channel of a slot; the wake-up hears of each confirmation. */
    public Subscription subscribe(int slot, byte[] channel, Wakeup wakeup) {
        Subscription subscription = subscriptions.subscribe(slot, channel, wakeup, slots::primary);
        step(() -> {
            if (!slots.isMapped()) {
                map.ask();
            }
        });
        return subscription;
    }

    private boolean offer(ScriptCall call) {
        if (closing.get()) {
            refused.fault(call, closedFault());
            return false;
        }
        if (!call.isUrgent() && !room.take()) {
            String detail = room.taken() + " calls are waiting";
            refused.fault(call, new Fault(Kind.QUEUE_FULL, false, cluster, detail));
            return false;
        }
        entrance.add(call);
        return true;
    }

    private void passSoon() {
        if (loop.inEventLoop()) {
            pass();
        } else if (passingScheduled.compareAndSet(false, true)) {
            schedulePassing();
        }
    }

    private void schedulePassing() {
        try {
            loop.execute(this::scheduledPass);
        } catch (RejectedExecutionException loopEnded) {
            // First of all: a thread that adds a call from now on finds out by itself.
            passingScheduled.set(false);
            for (ScriptCall call = entrance.poll(); call != null; call = entrance.poll()) {
                refused.fault(call, closedFault());
            }
        }
    }

    private void scheduledPass() {
        passingScheduled.set(false);
        pass();
    }

    // --- the event loop ---

    private void step(Runnable step) {
        if (loop.inEventLoop()) {
            step.run();
            return;
        }
        try {
            loop.execute(step);
        } catch (RejectedExecutionException loopEnded) {
            // The client is closed, and nothing of it is left that a step could change.
            log.trace("A step came after the end of {}", cluster);
        }
    }

    /** Passes new calls on to their nodes. */
    private void pass() {
        Set<ClusterNode> toWrite = new LinkedHashSet<>();
        int passed = 0;
        for (ScriptCall call = entrance.poll(); call != null; call = entrance.poll()) {
            if (!call.isUrgent()) {
                room.free();
            }
            slots.send(call, toWrite);
            if (++passed == MOST_PER_TURN) {
                break;
            }
        }
        toWrite.forEach(node -> node.commands.write());
        if (room.isToBeTold()) {
            tellOfRoomSoon();
        }
        if (!entrance.isEmpty() && passingScheduled.compareAndSet(false, true)) {
            schedulePassing();
        }
    }

    /** In a turn of its own: a client that sends what it likes may want to hear of room again. */
    private void tellOfRoomSoon() {
        try {
            loop.execute(this::tellOfRoom);
        } catch (RejectedExecutionException loopEnded) {
            // Calls that wait for room are ended with their client.
            log.trace("There is no room any more at {}", cluster);
        }
    }

    private void tellOfRoom() {
        IntConsumer seeker = room.nextSeeker();
        if (seeker == null) {
            return;
        }
        try {
            seeker.accept(room.places());
        } catch (RuntimeException | Error bug) {
            log.error("A client of {} failed when it was told of room", cluster, bug);
        }
    }

    private void askForMapAgain() {
        nextMap = loop.schedule(() -> map.ask(), MAP_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Ends the connections that have had nothing to do for long. They are looked at four times meanwhile. */
    private void restLater() {
        nextRest = loop.schedule(this::restIdle, idleNanos / 4, TimeUnit.NANOSECONDS);
    }

    private void restIdle() {
        Set<ClusterNode> keepers = new HashSet<>();
        for (int slot = 0; slot < SlotMap.SLOTS; slot++) {
            ClusterNode primary = holds.get(slot) > 0 ? slots.primary(slot) : null;
            if (primary != null) {
                keepers.add(primary);
            }
        }
        long now = runtime.nanos();
        nodes.everKnown().forEach(node -> node.restIfIdle(now, idleNanos, keepers.contains(node), nodes.isLeft(node)));
        restLater();
    }

    private Fault closedFault() {
        return new Fault(Kind.CLOSED, false, cluster, "the client is closed");
    }

    /** Lets calls finish for a while, then ends all connections. Any thread, any number of times. */
    public CompletionStage<Void> close(long graceNanos) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        closing.set(true);
        try {
            loop.execute(() -> {
                while (!entrance.isEmpty()) {
                    pass();
                }
                map.close();
                if (nextMap != null) {
                    nextMap.cancel(false);
                }
                if (nextRest != null) {
                    nextRest.cancel(false);
                }
                slots.close(closedFault());
                CompletableFuture<?>[] all = nodes.everKnown().stream()
                        .map(node -> node.close(graceNanos).toCompletableFuture())
                        .toArray(CompletableFuture[]::new);
                CompletableFuture.allOf(all).whenComplete((nothing, failure) -> gone.complete(null));
            });
        } catch (RejectedExecutionException loopEnded) {
            gone.complete(null);
        }
        return gone;
    }

    private final class NodeEvents implements ClusterNode.Listener, MapKeeper.Listener {

        @Override
        public boolean isSentOn(ClusterNode node, ScriptCall call, Kind kind, RespValue error) {
            return slots.isSentOn(node, call, kind, error);
        }

        @Override
        public void ended(ScriptCall call) {
            slots.ended(call);
        }

        @Override
        public void overdue() {
            slots.overdue();
        }

        @Override
        public void unsubscribed(ClusterNode node, RespValue error) {
            slots.learn(node, error.errorText());
        }

        @Override
        public void up(ClusterNode node) {
            if (nextRest == null && !closing.get()) {
                restLater();
            }
            listener.up(node);
        }

        @Override
        public void lost(ClusterNode node, Fault fault, boolean wasUp) {
            if (closing.get()) {
                return;
            }
            if (wasUp) {
                listener.down(node, fault, !nodes.isAnyUp());
            } else {
                listener.unreachable(node, fault);
            }
            slots.lost(node);
        }

        @Override
        public void heard(SlotMap heard) {
            slots.mapped(heard);
            if (nextMap != null) {
                nextMap.cancel(false);
            }
            askForMapAgain();
            listener.mapped();
        }

        @Override
        public void unheard(Fault fault) {
            slots.unmapped(fault);
            listener.unmapped(fault);
        }
    }
}
