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
        int epoch = promote(another(), lag());
        for (int i = 0; i < SENTINELS; i++) {
            tell(i, epoch, untilHeard());
        }
        if (!chance.onceIn(4)) {
            world.after(chance.below(9_000 * MILLI), () -> demote(before, epoch));
        }
    }

    /** The same, and the Sentinels know it soon; one client hears nothing of them for so long. */
    void failOverBehind(SimulatedClient stranded, long nanos) {
        for (SimulatedVouching each : watching) {
            if (each.isOf(stranded)) {
                each.deafen(nanos);
            }
        }
        int epoch = promote(another(), chance.below(50 * MILLI));
        for (int i = 0; i < SENTINELS; i++) {
            tell(i, epoch, chance.below(200 * MILLI));
        }
    }

    /**
     * Another server becomes the primary, and soon the one before is it again. The Sentinels hear of the first long after,
     * and for long nothing of the second.
     *
     * @param pauseNanos for how long a new primary grants nothing
     */
    void failOverAndBack(long pauseNanos) {
        SimulatedServer before = primary();
        int first = promote(another(), lag());
        long firstHeardNanos = chance.below(pauseNanos);
        long secondHeardNanos = firstHeardNanos + pauseNanos + chance.below(3_000 * MILLI);
        for (int i = 0; i < SENTINELS; i++) {
            int sentinel = i;
            tell(sentinel, first, firstHeardNanos + chance.below(50 * MILLI));
            world.after(secondHeardNanos, () -> tell(sentinel, first + 1, chance.below(50 * MILLI)));
        }
        world.after(chance.below(200 * MILLI), () -> {
            if (promoted.size() == first + 1) {
                promote(before, lag());
            }
        });
    }

    private SimulatedServer another() {
        SimulatedServer before = primary();
        List<SimulatedServer> others =
                servers.stream().filter(server -> server != before).toList();
        return others.get(chance.below(others.size()));
    }

    private int promote(SimulatedServer next, long lagNanos) {
        next.promote(primary(), lagNanos);
        promoted.add(next);
        note(next.name + " is promoted in epoch " + (promoted.size() - 1));
        return promoted.size() - 1;
    }

    private void tell(int sentinel, int epoch, long delayNanos) {
        world.after(delayNanos, () -> learn(sentinel, epoch));
    }

    private void learn(int sentinel, int epoch) {
        if (known[sentinel] < epoch && epoch < promoted.size()) {
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
