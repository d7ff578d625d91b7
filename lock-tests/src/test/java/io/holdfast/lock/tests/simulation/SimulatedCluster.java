package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.engine.key.Slots;
import io.holdfast.lock.netty.address.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.luaj.vm2.LuaString;

/**
 * The nodes of a cluster: primaries, and as many replicas, of which each may take its primary's place. Slots move, key by key or
 * whole. Each node knows what it has heard, and hears of changes when it does.
 */
final class SimulatedCluster {

    static final int PORT = 6379;
    private static final long MILLI = 1_000_000;
    /** Until a node hears from others what has changed. */
    private static final long MOST_GOSSIP_NANOS = 900 * MILLI;

    private final World world;
    private final Chance chance;
    final List<SimulatedServer> servers;
    private final int shards;
    /** Of each slot the primary that it has, whichever node knows it. */
    private final byte[] primaries = new byte[Slots.COUNT];

    private long epoch;

    /** @param servers the primaries, then their replicas in the same order */
    SimulatedCluster(World world, Chance chance, List<SimulatedServer> servers, int shards) {
        this.world = world;
        this.chance = chance;
        this.servers = List.copyOf(servers);
        this.shards = shards;
        for (int slot = 0; slot < Slots.COUNT; slot++) {
            primaries[slot] = (byte) (slot * shards / Slots.COUNT);
        }
        for (SimulatedServer server : servers) {
            server.joins(new SlotTable(this, server, primaries));
            server.follow();
            server.keys().readOnly(server.index >= shards);
        }
    }

    /** The addresses that clients are given: those of the first primaries. */
    List<Target.Host> seeds() {
        return servers.subList(0, shards).stream().map(SimulatedCluster::host).toList();
    }

    private static Target.Host host(SimulatedServer server) {
        return new Target.Host(server.name, PORT);
    }

    SimulatedServer at(Target.Host host) {
        return servers.stream()
                .filter(server -> host(server).equals(host))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no node is at " + host.node()));
    }

    /** The primary of a slot. */
    SimulatedServer primary(int slot) {
        return servers.get(primaries[slot]);
    }

    /** The nodes that have slots, whichever of them know it. */
    List<SimulatedServer> primaries() {
        boolean[] are = new boolean[servers.size()];
        for (byte primary : primaries) {
            are[primary] = true;
        }
        return servers.stream().filter(server -> are[server.index]).toList();
    }

    private Stream<SimulatedServer> others(SimulatedServer... without) {
        return servers.stream().filter(server -> !List.of(without).contains(server));
    }

    /** A node hears of a new primary, at once or later. */
    private void tell(SimulatedServer node, int slot, SimulatedServer primary, long newEpoch, long afterNanos) {
        world.after(afterNanos, () -> {
            if (node.isUndisturbed()) {
                node.slots().learn(slot, primary, newEpoch);
            } else {
                tell(node, slot, primary, newEpoch, 20 * MILLI);
            }
        });
    }

    private void spread(int slot, SimulatedServer primary, long newEpoch, SimulatedServer... knowing) {
        others(knowing).forEach(node -> tell(node, slot, primary, newEpoch, chance.below(MOST_GOSSIP_NANOS)));
    }

    private void becomes(int slot, SimulatedServer primary) {
        epoch++;
        primaries[slot] = (byte) primary.index;
    }

    // --- a slot moves ---

    /** A slot on its way from one primary to another. */
    final class Move {

        final int slot;
        final SimulatedServer source;
        final SimulatedServer target;

        private Move(int slot, SimulatedServer source, SimulatedServer target) {
            this.slot = slot;
            this.source = source;
            this.target = target;
        }

        /** The keys that are still at the source. */
        List<LuaString> keysLeft() {
            return source.keys().keys().stream()
                    .filter(key ->
                            SlotTable.slotOf(key) == slot && source.keys().exists(key))
                    .toList();
        }

        /** Moves a key; false where the administrator's {@code MIGRATE} would fail with {@code BUSYKEY}. */
        boolean moveKey(LuaString key) {
            return source.keys().migrate(key, target.keys());
        }

        /** Moves a key that is picked by chance; false if there is none left. */
        boolean moveOne() {
            List<LuaString> left = keysLeft();
            if (left.isEmpty()) {
                return false;
            }
            LuaString key = left.get(chance.below(left.size()));
            world.note("MOVE", key + " goes from " + source.name + " to " + target.name);
            if (!moveKey(key)) {
                throw world.fail("MV", key + ": is at " + source.name + " and at " + target.name + ": BUSYKEY");
            }
            return true;
        }

        /** The target is the primary; the source is told soon, and the others when they hear of it. */
        void finish() {
            world.note("MOVE", "slot " + slot + " is at " + target.name);
            becomes(slot, target);
            target.slots().learn(slot, target, epoch);
            tell(source, slot, target, epoch, chance.below(20 * MILLI));
            spread(slot, target, epoch, source, target);
        }

        /** Ends it with all keys that are left, of which there may be none. */
        void finishWithAllKeys() {
            while (moveOne()) {
                // One after the other.
            }
            finish();
        }
    }

    /** Begins to move a slot key by key: the target knows first. */
    Move begin(int slot, SimulatedServer target) {
        SimulatedServer source = primary(slot);
        world.note("MOVE", "slot " + slot + " begins to move from " + source.name + " to " + target.name);
        target.slots().importFrom(slot, source);
        source.slots().migrate(slot, target);
        return new Move(slot, source, target);
    }

    /** Moves a slot with all its keys at one moment, as Valkey 9 and Redis 8.4 do: the source answers MOVED from then on. */
    void moveWhole(int slot, SimulatedServer target) {
        SimulatedServer source = primary(slot);
        Move move = new Move(slot, source, target);
        move.keysLeft().forEach(key -> {
            if (!move.moveKey(key)) {
                throw world.fail("MV", key + ": is at " + target.name + " before its slot is");
            }
        });
        world.note("MOVE", "slot " + slot + " is moved whole from " + source.name + " to " + target.name);
        becomes(slot, target);
        target.slots().learn(slot, target, epoch);
        source.slots().learn(slot, target, epoch);
        spread(slot, target, epoch, source, target);
    }

    // --- a primary is replaced ---

    /** The other server of a shard. */
    SimulatedServer partner(SimulatedServer server) {
        return servers.get((server.index + shards) % servers.size());
    }

    /**
     * A primary stops; a majority calls it failed after a while, the cluster is down for a moment, and its replica takes its
     * place with all that it had. When it goes on it is a replica at once.
     */
    void failOver(SimulatedServer primary, long stoppedNanos, long noticedNanos) {
        SimulatedServer next = partner(primary);
        world.note("MOVE", primary.name + " stops for " + stoppedNanos / MILLI + " ms, " + next.name + " follows it");
        primary.stop(stoppedNanos);
        world.after(noticedNanos, () -> {
            others(primary).forEach(node -> {
                node.slots().fails(primary, true);
                node.slots().down(true);
            });
            world.after(chance.below(700 * MILLI), () -> promote(primary, next));
        });
    }

    private void promote(SimulatedServer before, SimulatedServer next) {
        world.note("MOVE", next.name + " takes the place of " + before.name);
        next.promote(before, 0);
        epoch++;
        long since = epoch;
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < Slots.COUNT; slot++) {
            if (primaries[slot] == before.index) {
                primaries[slot] = (byte) next.index;
                slots.add(slot);
            }
        }
        before.keys().readOnly(true);
        before.keys().forget(key -> false);
        Stream.of(next, before).forEach(node -> hears(node, before, slots, next, since));
        others(next, before)
                .forEach(node ->
                        world.after(chance.below(MOST_GOSSIP_NANOS), () -> hears(node, before, slots, next, since)));
    }

    private static void hears(
            SimulatedServer node, SimulatedServer before, List<Integer> slots, SimulatedServer next, long since) {
        slots.forEach(slot -> node.slots().learn(slot, next, since));
        node.slots().fails(before, false);
        node.slots().down(false);
    }

    /** Whatever hinders nodes is over; they still hear of what has changed when they do. */
    void heal() {
        List<SimulatedServer> primaries = primaries();
        servers.forEach(server -> {
            server.heal();
            server.slots().down(false);
            server.keys().readOnly(!primaries.contains(server));
        });
    }
}
