package io.holdfast.lock.netty.cluster;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.connection.Calls;
import io.holdfast.lock.netty.connection.DeadlineTimer;
import io.holdfast.lock.netty.connection.Room;
import io.holdfast.lock.netty.connection.Traffic;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.ScriptCall;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call to the primary of its slot, and keeps the calls of a slot in their order when the primary changes: a call goes to
 * another node than those before it only when they are answered, or their connections are gone (rule 98). Until then it
 * waits in the slot's {@link Changeover}.
 *
 * <p>A call that a node sends on with {@code MOVED} or {@code ASK} had no effect, so it may be written again; five times at most.
 *
 * <p>The primary of a slot that can't be reached is given up for any node that can be: that one says which node is it by
 * now, as soon as one does.
 *
 * <p>Belongs to the event loop, but for {@link #primary} and {@link #nodesOf}.
 */
final class SlotTraffic {

    /** How often a call may be sent on. */
    private static final int MOST_REDIRECTIONS = 5;

    private final Nodes nodes;
    private final MapKeeper map;
    private final Room room;
    private final Runtime runtime;
    private final long patienceNanos;
    private final SlotSubscriptions subscriptions;
    private final DeadlineTimer deadlines;
    private final Calls calls;
    private final String cluster;
    private final LedSlots led;

    private final AtomicReferenceArray<@Nullable ClusterNode> primaries = new AtomicReferenceArray<>(SlotMap.SLOTS);
    /** How many calls of each slot are at a node: in its queue, or in flight. */
    private final int[] atNodes = new int[SlotMap.SLOTS];
    /** By slot, the nodes that calls are at in place of a primary that can't be reached. */
    private final Map<Integer, ClusterNode> standIns = new HashMap<>();
    /** By slot, the node that its keys are on their way to, until the slot has another primary. Any thread may read it. */
    private final Map<Integer, ClusterNode> targets = new ConcurrentHashMap<>();
    /** By slot; nearly always none. */
    private final Map<Integer, Changeover> changeovers = new HashMap<>();

    private boolean isMapped;
    /** Why the latest map could not be had; null if it could. */
    private @Nullable Fault noMap;

    private boolean closed;

    /**
     * Traffic without any primary.
     *
     * @param patienceNanos how long a call may wait to be written
     * @param cluster its name for messages
     */
    SlotTraffic(
            EventLoop loop,
            Runtime runtime,
            Room room,
            long patienceNanos,
            String cluster,
            Nodes nodes,
            MapKeeper map,
            SlotSubscriptions subscriptions,
            LedSlots led) {
        this.led = led;
        this.nodes = nodes;
        this.map = map;
        this.room = room;
        this.runtime = runtime;
        this.patienceNanos = patienceNanos;
        this.cluster = cluster;
        this.subscriptions = subscriptions;
        this.deadlines = new DeadlineTimer(loop, runtime, this::lookForOverdue);
        this.calls = new Calls(Traffic.ALONE);
    }

    /** The node that calls of a slot are sent to; null if it is not known, or there is none. Any thread. */
    @Nullable
    ClusterNode primary(int slot) {
        return primaries.get(slot);
    }

    /** The nodes that have keys of a slot, as far as is known: its primary first. Any thread. */
    List<ClusterNode> nodesOf(int slot) {
        return Stream.of(Optional.ofNullable(primaries.get(slot)), Optional.ofNullable(targets.get(slot)))
                .flatMap(Optional::stream)
                .toList();
    }

    boolean isMapped() {
        return isMapped;
    }

    // --- calls ---

    /** Hands a call to a node, which has yet to be told to write, or lets it wait. */
    void send(ScriptCall call, Set<ClusterNode> toWrite) {
        if (closed) {
            calls.fault(call, new Fault(Kind.CLOSED, false, cluster, "the client is closed"));
            return;
        }
        Changeover changeover = changeovers.isEmpty() ? null : changeovers.get(call.slot);
        if (changeover != null) {
            keep(changeover, call);
            return;
        }
        ClusterNode to = reachable(call.slot);
        if (to != null) {
            if (handIfMeant(call, to)) {
                toWrite.add(to);
            }
        } else if (isMapped) {
            map.ask();
            calls.fault(call, Unrouted.noPrimary(cluster, call.slot));
        } else {
            map.ask();
            Changeover untilMapped = new Changeover(null);
            changeovers.put(call.slot, untilMapped);
            keep(untilMapped, call);
        }
    }

    /** The primary of a slot, or in its place a node that knows it by now. No call of the slot is at another node. */
    private @Nullable ClusterNode reachable(int slot) {
        ClusterNode standIn = standIns.isEmpty() ? null : standIns.get(slot);
        if (standIn != null && atNodes[slot] > 0) {
            return standIn;
        }
        if (standIn != null) {
            standIns.remove(slot);
        }
        ClusterNode primary = primaries.get(slot);
        if (primary == null || !primary.isLost() || atNodes[slot] > 0) {
            return primary;
        }
        map.ask();
        ClusterNode other = nodes.anyReachable();
        if (other == null) {
            return primary;
        }
        standIns.put(slot, other);
        return other;
    }

    /** Hands a call to a node, unless it is meant for the primary alone: without keys, any node would answer for itself. */
    private boolean handIfMeant(ScriptCall call, ClusterNode node) {
        ClusterNode primary = primaries.get(call.slot);
        boolean isMeant = call.namesKeys() || node == primary;
        if (isMeant) {
            hand(call, node);
        } else {
            calls.fault(call, primary == null ? Unrouted.noPrimary(cluster, call.slot) : primary.unreachable());
        }
        return isMeant;
    }

    private void hand(ScriptCall call, ClusterNode node) {
        atNodes[call.slot]++;
        node.usedNanos = runtime.nanos();
        node.commands.take(call);
    }

    private void handAsking(ScriptCall call, ClusterNode node) {
        atNodes[call.slot]++;
        node.usedNanos = runtime.nanos();
        node.commands.takeAsking(call);
    }

    private void keep(Changeover changeover, ScriptCall call) {
        if (changeover.primary == null) {
            map.ask();
        }
        takePlace(call);
        changeover.add(call);
        deadlines.include(dueNanos(call));
    }

    private void keepPassed(Changeover changeover, ScriptCall call, @Nullable ClusterNode asked) {
        takePlace(call);
        changeover.addPassed(call, asked);
        deadlines.include(dueNanos(call));
    }

    private void takePlace(ScriptCall call) {
        if (!call.isUrgent()) {
            room.takeAnyway();
        }
    }

    private void freePlace(ScriptCall call) {
        if (!call.isUrgent()) {
            room.free();
        }
    }

    // --- what nodes say ---

    /** A call has its answer, or will get none. */
    void ended(ScriptCall call) {
        left(call.slot);
    }

    /** Whether a call that a node has refused is sent on, so that it has not ended. */
    boolean isSentOn(ClusterNode node, ScriptCall call, Kind kind, RespValue error) {
        if (kind == Kind.CLUSTERDOWN) {
            map.ask();
        }
        if ((kind != Kind.MOVED && kind != Kind.ASK) || closed) {
            return false;
        }
        if (call.redirections() == MOST_REDIRECTIONS) {
            map.ask();
            calls.fault(call, Unrouted.sentRound(node, MOST_REDIRECTIONS, kind, error));
            left(call.slot);
            return true;
        }
        Target.Host host = Redirection.target(error.errorText(), node.host);
        ClusterNode target = host == null ? null : nodes.at(host);
        if (target == null || !call.sendOn()) {
            return false;
        }
        if (target.isLost()) {
            map.ask();
            calls.fault(call, target.unreachable());
        } else if (kind == Kind.ASK) {
            targets.put(call.slot, target);
            subscriptions.alsoAt(call.slot, target);
            keepPassed(changeover(call.slot, node), call, target);
        } else {
            map.ask(target.host);
            Changeover changeover = changeover(call.slot, node);
            changeover.primary = target;
            keepPassed(changeover, call, null);
        }
        left(call.slot);
        return true;
    }

    /** A node has said, with an error of {@code MOVED}, that another one is the primary of a slot. */
    void learn(ClusterNode node, String error) {
        int slot = Redirection.slot(error);
        Target.Host host = Redirection.target(error, node.host);
        ClusterNode target = host == null ? null : nodes.at(host);
        if (target == null || slot < 0 || primaries.get(slot) != node) {
            return;
        }
        map.ask(target.host);
        if (!target.isLost() && target != node) {
            beginChangeovers(node, taken -> taken == slot);
            change(slot, target);
        }
    }

    /** The changeover of a slot, begun if there is none; what the node has not written of it waits there. */
    private Changeover changeover(int slot, ClusterNode node) {
        Changeover present = changeovers.get(slot);
        if (present != null) {
            return present;
        }
        Changeover changeover = new Changeover(primaries.get(slot));
        changeovers.put(slot, changeover);
        node.commands.takeOut(call -> call.slot == slot, call -> {
            atNodes[slot]--;
            keep(changeover, call);
        });
        return changeover;
    }

    /** One call of a slot less is at a node. */
    private void left(int slot) {
        atNodes[slot]--;
        if (!changeovers.isEmpty() && atNodes[slot] == 0) {
            Changeover changeover = changeovers.get(slot);
            if (changeover != null) {
                goOn(slot, changeover);
            }
        }
    }

    /** No node has any of the slot's calls: those that wait go on. */
    private void goOn(int slot, Changeover changeover) {
        if (changeover.isAskingFirst()) {
            ClusterNode asked = changeover.firstAsked();
            changeover.takeAsked(asked, call -> {
                freePlace(call);
                handAsking(call, asked);
            });
            asked.commands.write();
            return;
        }
        ClusterNode primary = changeover.primary;
        if (primary == null) {
            return;
        }
        lead(slot, primary);
        ClusterNode reachable = reachable(slot);
        ClusterNode to = reachable == null ? primary : reachable;
        changeover.takeForPrimary(call -> {
            freePlace(call);
            handIfMeant(call, to);
        });
        if (changeover.isEmpty()) {
            changeovers.remove(slot, changeover);
        }
        to.commands.write();
    }

    /** A call has waited for its answer for too long: the node may be no primary any more, and a map says so. */
    void overdue() {
        map.ask();
    }

    /** A node can't be reached: what it has not written goes to nodes that can, and may know more. */
    void lost(ClusterNode node) {
        map.ask();
        if (nodes.anyReachable() != null) {
            List<ScriptCall> unwritten = new ArrayList<>();
            node.commands.takeOut(call -> call.redirections() < MOST_REDIRECTIONS, unwritten::add);
            sendAgain(unwritten);
        }
    }

    private void sendAgain(List<ScriptCall> unwritten) {
        for (ScriptCall call : unwritten) {
            atNodes[call.slot]--;
            // One that was taken back hears so where it would be written.
            call.sendOn();
        }
        Set<ClusterNode> toWrite = new LinkedHashSet<>();
        for (ScriptCall call : unwritten) {
            send(call, toWrite);
            Changeover changeover = changeovers.get(call.slot);
            if (changeover != null && atNodes[call.slot] == 0) {
                goOn(call.slot, changeover);
            }
        }
        toWrite.forEach(node -> node.commands.write());
    }

    // --- the map ---

    /** A node has said which node is the primary of which slot. */
    void mapped(SlotMap heard) {
        isMapped = true;
        noMap = null;
        Map<Target.Host, ClusterNode> primaries = new HashMap<>();
        heard.primaries().forEach(host -> {
            ClusterNode node = nodes.at(host);
            if (node != null) {
                node.isPrimary = true;
                primaries.put(host, node);
            }
        });
        @Nullable ClusterNode[] next = new @Nullable ClusterNode[SlotMap.SLOTS];
        for (SlotMap.Range range : heard.ranges()) {
            ClusterNode primary = primaries.get(range.primary());
            for (int slot = range.first(); slot <= range.last(); slot++) {
                next[slot] = primary;
            }
        }
        for (ClusterNode node : nodes.all()) {
            beginChangeovers(node, slot -> isTakenFrom(node, slot, next));
        }
        for (int slot = 0; slot < next.length; slot++) {
            change(slot, next[slot]);
        }
        nodes.all().forEach(node -> node.mapped(heard.failed().contains(node.host)));
        nodes.keepOnly(primaries.values());
    }

    private boolean isTakenFrom(ClusterNode node, int slot, @Nullable ClusterNode[] next) {
        return primaries.get(slot) == node && next[slot] != null && next[slot] != node;
    }

    /** What a node has not written of slots that it has no more waits in their changeovers. */
    private void beginChangeovers(ClusterNode node, IntPredicate isTaken) {
        Function<Integer, Changeover> closed = slot -> new Changeover(primaries.get(slot));
        node.commands.takeOut(call -> isTaken.test(call.slot), call -> {
            atNodes[call.slot]--;
            keep(changeovers.computeIfAbsent(call.slot, closed), call);
        });
    }

    private void change(int slot, @Nullable ClusterNode next) {
        Changeover changeover = changeovers.get(slot);
        ClusterNode present = primaries.get(slot);
        if (changeover == null && next == present) {
            return;
        }
        if (changeover == null && (next == null || atNodes[slot] == 0)) {
            lead(slot, next);
            return;
        }
        if (changeover == null) {
            changeover = new Changeover(next);
            changeovers.put(slot, changeover);
        }
        if (next == null) {
            failAll(changeover, Unrouted.noPrimary(cluster, slot));
            changeovers.remove(slot);
            lead(slot, null);
            return;
        }
        changeover.primary = next;
        if (atNodes[slot] == 0) {
            goOn(slot, changeover);
        }
    }

    private void lead(int slot, @Nullable ClusterNode primary) {
        ClusterNode before = primaries.getAndSet(slot, primary);
        if (before != primary) {
            targets.remove(slot);
            subscriptions.moved(slot, primary);
            if (primary != null) {
                led.add(slot);
            }
        }
    }

    // --- the end ---

    /** No node tells which node is the primary of which slot: what waits for that fails where waiting is of no use. */
    void unmapped(Fault fault) {
        noMap = fault;
        if (!isMapped && !fault.kind().isTransient()) {
            List<Changeover> open = List.copyOf(changeovers.values());
            changeovers.clear();
            open.forEach(changeover -> failAll(changeover, fault));
        }
    }

    private void failAll(Changeover changeover, Fault fault) {
        changeover.takeAll(call -> fail(call, fault));
    }

    private void fail(ScriptCall call, Fault fault) {
        freePlace(call);
        calls.fault(call, fault);
    }

    private void lookForOverdue() {
        long now = runtime.nanos();
        Fault fault = Unrouted.notFound(cluster, noMap);
        for (Map.Entry<Integer, Changeover> each : List.copyOf(changeovers.entrySet())) {
            List<ScriptCall> due = new ArrayList<>();
            each.getValue().takeOut(call -> isDue(call, now), due::add);
            due.forEach(call -> fail(call, fault));
        }
    }

    private boolean isDue(ScriptCall call, long now) {
        long due = dueNanos(call);
        if (due - now > 0) {
            deadlines.include(due);
            return false;
        }
        return true;
    }

    /** When a call has waited for too long. */
    private long dueNanos(ScriptCall call) {
        long patienceEnds = call.sentNanos + patienceNanos;
        return call.deadlineNanos - patienceEnds < 0 ? call.deadlineNanos : patienceEnds;
    }

    void close(Fault fault) {
        closed = true;
        deadlines.stop();
        List<Changeover> open = List.copyOf(changeovers.values());
        changeovers.clear();
        open.forEach(changeover -> failAll(changeover, fault));
    }
}
