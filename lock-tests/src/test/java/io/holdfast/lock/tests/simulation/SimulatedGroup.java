package io.holdfast.lock.tests.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * Servers of which one is the primary, and the Sentinels that have it replaced: each learns of that when it does. A primary
 * that was replaced goes on taking writes for a while, and nothing that it has written since then is ever copied.
 */
final class SimulatedGroup {

    static final int SENTINELS = 3;
    static final int MAJORITY = 2;
    private static final long MILLI = 1_000_000;

    /** What one Sentinel answers. */
    record Word(long epoch, SimulatedServer server) {}

    private final World world;
    private final Chance chance;
    final List<SimulatedServer> servers;
    /** Who was promoted, by epoch. */
    private final List<SimulatedServer> promoted = new ArrayList<>();
    /** The epoch that each Sentinel knows. */
    private final int[] known = new int[SENTINELS];

    private final List<SimulatedVouching> watching = new ArrayList<>();

    SimulatedGroup(World world, Chance chance, List<SimulatedServer> servers) {
        this.world = world;
        this.chance = chance;
        this.servers = servers;
        promoted.add(servers.get(0));
        servers.forEach(server -> server.joins(this));
        for (SimulatedServer server : servers) {
            server.keys().readOnly(server != primary());
        }
    }

    SimulatedServer primary() {
        return promoted.get(promoted.size() - 1);
    }

    Word word(int sentinel) {
        return new Word(known[sentinel], promoted.get(known[sentinel]));
    }

    SimulatedVouching vouching(SimulatedClient client, SimulatedBackend backend, long silenceNanos) {
        SimulatedVouching vouching = new SimulatedVouching(world, client, backend, this, silenceNanos);
        watching.add(vouching);
        return vouching;
    }

    // --- what happens ---

    /** Another server becomes the primary; the Sentinels hear of it one by one, and so does the one before. */
    void failOver() {
        SimulatedServer before = primary();
        List<SimulatedServer> others =
                servers.stream().filter(server -> server != before).toList();
        SimulatedServer next = others.get(chance.below(others.size()));
        next.promote(before, lag());
        int epoch = promoted.size();
        promoted.add(next);
        note(next.name + " is promoted in epoch " + epoch);
        for (int i = 0; i < SENTINELS; i++) {
            int sentinel = i;
            world.after(untilHeard(), () -> learn(sentinel, epoch));
        }
        if (!chance.onceIn(4)) {
            world.after(chance.below(9_000 * MILLI), () -> demote(before, epoch));
        }
    }

    private void learn(int sentinel, int epoch) {
        if (known[sentinel] < epoch) {
            known[sentinel] = epoch;
            note("Sentinel " + sentinel + " names " + promoted.get(epoch).name + " in epoch " + epoch);
        }
    }

    private void demote(SimulatedServer server, int epoch) {
        if (promoted.size() == epoch + 1 && server != primary()) {
            server.follow(primary());
            note(server.name + " is a replica now");
        }
    }

    private long lag() {
        int lot = chance.below(10);
        return chance.below((lot < 5 ? 50 : lot < 8 ? 1_000 : 6_000) * MILLI);
    }

    private long untilHeard() {
        int lot = chance.below(20);
        return chance.below((lot < 10 ? 300 : lot < 16 ? 3_000 : 12_000) * MILLI);
    }

    /** All Sentinels know all that has happened, the replicas are replicas, and clients hear what Sentinels say. */
    void heal() {
        for (int i = 0; i < SENTINELS; i++) {
            learn(i, promoted.size() - 1);
        }
        for (SimulatedServer server : servers) {
            server.heal();
            if (server != primary()) {
                demote(server, promoted.size() - 1);
            }
        }
        watching.forEach(SimulatedVouching::heal);
    }

    private void note(String what) {
        world.mix(what.hashCode());
        world.note("GROUP", what);
    }
}
