package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * What one node of a cluster knows of slots, and what it refuses by that, in the order and with the words of a real node of
 * version 7.0. Another node may know less, or more.
 */
final class SlotTable {

    private final SimulatedCluster cluster;
    private final SimulatedServer self;
    private final byte[] primaries;
    /** Of the slots that have changed their primary, by when. */
    private final Map<Integer, Long> epochs = new HashMap<>();

    /** The slots that are on their way, by the node that they go to. */
    private final Map<Integer, SimulatedServer> migrating = new HashMap<>();
    /** The slots that are on their way here. */
    private final Map<Integer, SimulatedServer> importing = new HashMap<>();

    private final List<SimulatedServer> failed = new ArrayList<>();
    private boolean down;
    private @Nullable RespValue map;

    /** @param primaries of each slot, by their places among the cluster's servers */
    SlotTable(SimulatedCluster cluster, SimulatedServer self, byte[] primaries) {
        this.cluster = cluster;
        this.self = self;
        this.primaries = primaries.clone();
    }

    // --- what it learns ---

    /** A slot has another primary. What is older than what it knows is left aside. */
    void learn(int slot, SimulatedServer primary, long epoch) {
        if (epochs.getOrDefault(slot, 0L) >= epoch) {
            return;
        }
        epochs.put(slot, epoch);
        primaries[slot] = (byte) primary.index;
        map = null;
        if (primary != self) {
            migrating.remove(slot);
            self.endSubscriptions(channel -> slotOf(channel) == slot);
        } else {
            importing.remove(slot);
        }
    }

    void migrate(int slot, SimulatedServer target) {
        migrating.put(slot, target);
    }

    void importFrom(int slot, SimulatedServer source) {
        importing.put(slot, source);
    }

    /** Whether a majority calls a node failed. */
    void fails(SimulatedServer node, boolean has) {
        failed.remove(node);
        if (has) {
            failed.add(node);
        }
        map = null;
    }

    /** Whether slots have no primary that lives, so that the whole cluster refuses calls. */
    void down(boolean is) {
        down = is;
    }

    // --- how it answers ---

    static int slotOf(LuaString key) {
        return Slots.of(key.tojstring().getBytes(StandardCharsets.UTF_8));
    }

    /** The error with which it refuses a call; null for none. */
    @Nullable
    Answer refusal(Request call) {
        if (call.keys() == 0) {
            return down ? clusterDown() : null;
        }
        int slot = slotOf(call.key(1));
        int absent = 0;
        boolean several = false;
        for (int i = 1; i <= call.keys(); i++) {
            if (slotOf(call.key(i)) != slot) {
                return Answer.error(Fault.Kind.CROSSSLOT, "CROSSSLOT Keys in request don't hash to the same slot");
            }
            several |= !call.key(i).raweq(call.key(1));
            absent += self.keys().exists(call.key(i)) ? 0 : 1;
        }
        return refusal(slot, call.asking, absent, call.keys() - absent, several);
    }

    /** The same for a subscription to a channel: those of a slot are with its primary until the move ends. */
    @Nullable
    Answer refusalOfChannel(LuaString channel, boolean asking) {
        return refusal(slotOf(channel), asking, 0, 1, false);
    }

    private @Nullable Answer refusal(int slot, boolean asking, int absent, int present, boolean several) {
        if (down) {
            return clusterDown();
        }
        int primary = primaries[slot];
        SimulatedServer target = migrating.get(slot);
        if (primary == self.index) {
            if (target == null || absent == 0) {
                return null;
            }
            return present > 0 ? tryAgain() : redirection(Fault.Kind.ASK, slot, target);
        }
        if (asking && importing.containsKey(slot)) {
            return several && absent > 0 ? tryAgain() : null;
        }
        return redirection(Fault.Kind.MOVED, slot, cluster.servers.get(primary));
    }

    private static Answer clusterDown() {
        return Answer.error(Fault.Kind.CLUSTERDOWN, "CLUSTERDOWN The cluster is down");
    }

    private static Answer tryAgain() {
        return Answer.error(Fault.Kind.TRYAGAIN, "TRYAGAIN Multiple keys request during rehashing of slot");
    }

    private static Answer redirection(Fault.Kind kind, int slot, SimulatedServer node) {
        return Answer.error(kind, kind + " " + slot + " " + node.name + ":" + SimulatedCluster.PORT);
    }

    /** Whether a command of a script that was let in may touch a key, which the call need not have named. */
    boolean isLocal(LuaString key, boolean asking) {
        int absent = self.keys().exists(key) ? 0 : 1;
        return refusal(slotOf(key), asking, absent, 1 - absent, false) == null;
    }

    // --- the map, as it tells it ---

    RespValue map() {
        RespValue known = map;
        if (known == null) {
            known = Resp.value(shards());
            map = known;
        }
        return known;
    }

    private String shards() {
        Map<SimulatedServer, List<Integer>> ranges = new HashMap<>();
        int first = 0;
        for (int slot = 1; slot <= Slots.COUNT; slot++) {
            if (slot == Slots.COUNT || primaries[slot] != primaries[first]) {
                ranges.computeIfAbsent(cluster.servers.get(primaries[first]), none -> new ArrayList<>())
                        .addAll(List.of(first, slot - 1));
                first = slot;
            }
        }
        List<String> shards = cluster.servers.stream()
                .filter(ranges::containsKey)
                .map(primary -> shard(primary, ranges.get(primary)))
                .toList();
        return "*" + shards.size() + "\r\n" + String.join("", shards);
    }

    private String shard(SimulatedServer primary, List<Integer> slots) {
        StringBuilder text = new StringBuilder("%2\r\n" + bulk("slots") + "*" + slots.size() + "\r\n");
        slots.forEach(slot -> text.append(':').append(slot).append("\r\n"));
        String node = "%5\r\n" + bulk("id") + bulk(primary.name) + bulk("port") + ":" + SimulatedCluster.PORT + "\r\n"
                + bulk("endpoint") + bulk(primary.name) + bulk("role") + bulk("master") + bulk("health")
                + bulk(failed.contains(primary) ? "fail" : "online");
        return text + bulk("nodes") + "*1\r\n" + node;
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }
}
