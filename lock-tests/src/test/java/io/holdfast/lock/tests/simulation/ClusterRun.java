package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * One run of locks in a cluster of three primaries and their replicas (rules 98, 99 and 120): slots move, key by key or whole, while
 * locks in them are wanted and held; where things go wrong, primaries are replaced as well, and connections stall and break.
 * Nothing of that excuses anything.
 */
final class ClusterRun {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long TROUBLE_END = 35 * SECOND;
    private static final long OPERATIONS_END = 40 * SECOND;
    private static final long DRAINED = 66 * SECOND;
    private static final long END = 84 * SECOND;
    private static final long LOOK_NANOS = 100 * MILLI;
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
    private static final long MOST_APART_MICROS = 300_000_000L;
    private static final int MOST_DRIFT_PER_MILLION = 4_000;
    private static final int CLIENTS = 3;
    private static final int PRIMARIES = 3;
    /** What is in a socket of a connection that broke may stay there for four seconds: until then no slot comes back. */
    private static final long STAYS_NANOS = 5 * SECOND;

    /** Two locks of one slot, and one of another. */
    private static final List<String> LOCKS = List.of("a", ofTheSlotOf("a"), "b");

    private final Workload workload;
    private final World world;
    private final Chance chance;
    private final ClientOptions options;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final SimulatedCluster cluster;
    private final ClusterOwners owners;
    private final boolean fences;

    /** The slots that are on their way, or have come too lately to go on. */
    private final Set<Integer> unsettled = new HashSet<>();

    private final Set<Integer> moving = new HashSet<>();
    private final int[] faults = new int[FaultKind.values().length];
    private boolean failingOver;
    /** A primary is to be replaced as soon as no slot is on its way. */
    private boolean failoverIsDue;

    private long disturbedUntilNanos;
    private boolean over;

    private static String ofTheSlotOf(String name) {
        return Stream.iterate(0, number -> number + 1)
                .map(number -> "lock-" + number)
                .filter(other -> slotOf(other) == slotOf(name))
                .findFirst()
                .orElseThrow();
    }

    private static int slotOf(String name) {
        return SlotTable.slotOf(LuaString.valueOf(Workload.Scene.MOVES.key(name)));
    }

    ClusterRun(Workload workload, long seed, @Nullable Trace trace) {
        this.workload = workload;
        this.world = new World(seed, trace);
        this.chance = new Chance(seed, 1);
        this.fences = workload.faults == 0 || !chance.onceIn(10);
        this.options = ClientOptions.builder()
                .commandTimeout(Duration.ofMillis(chance.between(150, 700)))
                .connectTimeout(Duration.ofMillis(1_500))
                .heartbeat(Duration.ofMillis(chance.between(1_000, 3_000)))
                .backoffMin(Duration.ofMillis(20))
                .backoffMax(Duration.ofMillis(400))
                .clientRecord(false)
                .maxOutage(Duration.ofSeconds(20))
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(chance.between(800, 5_000)))
                        .build())
                .build();
        this.cluster = newCluster(seed);
        for (int i = 0; i < CLIENTS; i++) {
            newClient();
        }
        SharedOwners.Ground ground = new SharedOwners.Ground(
                world, new Chance(seed, 2), clients, servers, LOCKS, false, workload.faults == 0);
        this.owners = new ClusterOwners(
                ground,
                !isFamily(),
                options.commandTimeout().toNanos(),
                lock -> moving.contains(slotOf(LOCKS.get(lock))),
                lock -> unsettled.contains(slotOf(LOCKS.get(lock))));
    }

    private boolean isFamily() {
        return workload == Workload.MOVES_FAMILY || workload == Workload.MOVES_FAMILY_CALM;
    }

    /**
     * The nodes of a shard have one clock. Those of two shards need not, as far as plain locks go: what is left of a lease moves,
     * and not its end. A reader's entry has its end in it (rule 120).
     */
    private SimulatedCluster newCluster(long seed) {
        List<Clock> clocks = new ArrayList<>();
        List<Long> epochs = new ArrayList<>();
        for (int i = 0; i < PRIMARIES; i++) {
            boolean together = i > 0 && isFamily();
            clocks.add(together ? clocks.get(0) : new Clock(world, 0, drift()));
            long apartMicros = chance.onceIn(3) ? chance.below(MOST_APART_MICROS) : chance.below(20_000);
            epochs.add(together ? epochs.get(0) : EPOCH_MICROS + apartMicros);
        }
        for (int i = 0; i < 2 * PRIMARIES; i++) {
            int shard = i % PRIMARIES;
            servers.add(new SimulatedServer(
                    world, i, clocks.get(shard), epochs.get(shard), new Chance(seed, 100 + i), new Witness()));
        }
        return new SimulatedCluster(world, new Chance(seed, 3), servers, PRIMARIES);
    }

    private final class Witness extends Unconcerned {

        @Override
        public void removed(LuaString key, LuaString field, Keyspace.Cause cause) {
            owners.gone(key, cause);
        }
    }

    private long drift() {
        return chance.between(-MOST_DRIFT_PER_MILLION, MOST_DRIFT_PER_MILLION);
    }

    private void newClient() {
        int index = clients.size();
        clients.add(new SimulatedClient(
                world,
                index,
                new Clock(world, chance.between(-SECOND, SECOND), drift()),
                new Chance(world.seed, 10 + index),
                options,
                workload.climate,
                cluster,
                fences,
                LOCKS));
    }

    // --- from the beginning to the end ---

    Verdict verdict() {
        SwallowedErrors.forget();
        try {
            world.observe(client -> lookAfterEach());
            world.after(5 * MILLI, this::operate);
            world.after(chance.below(3 * SECOND), this::move);
            for (int i = 0; i < workload.faults; i++) {
                world.after(chance.below(TROUBLE_END), this::trouble);
            }
            world.after(LOOK_NANOS, this::look);
            world.after(OPERATIONS_END, this::putRight);
            world.after(DRAINED, owners::allEnded);
            world.after(END, this::end);
            while (!over) {
                world.stepOn();
            }
        } catch (Violation broken) {
            // It is the world's; see below.
            world.mix(broken.checker.length());
        } finally {
            world.abandonAllCalls();
        }
        Violation broken = world.violation();
        return new Verdict(
                workload.title(),
                world.seed,
                broken == null ? "" : broken.checker,
                broken == null ? "" : String.valueOf(broken.getMessage()),
                world.hash(),
                Tally.ofRun(world.events(), owners.asked(), owners.granted(), owners.lost(), 0, 0, 0, faults));
    }

    private void lookAfterEach() {
        owners.exclude();
        String swallowed = SwallowedErrors.first();
        if (swallowed != null) {
            world.fail("ERR", "the engine logged an error: " + swallowed);
        }
    }

    private void operate() {
        if (world.nanos() < OPERATIONS_END) {
            owners.next();
            int lot = chance.below(10);
            world.after(
                    lot < 5
                            ? chance.below(3 * MILLI)
                            : lot < 8 ? chance.below(300 * MILLI) : chance.below(1_500 * MILLI),
                    this::operate);
        }
    }

    private void look() {
        owners.look(disturbedUntilNanos + WakeUpChecker.AFTERMATH_NANOS);
        if (world.nanos() < DRAINED) {
            world.after(LOOK_NANOS, this::look);
        }
    }

    // --- slots move ---

    private void move() {
        if (world.nanos() >= TROUBLE_END) {
            return;
        }
        int slot = slotOf(LOCKS.get(chance.below(LOCKS.size())));
        if (!failingOver && !failoverIsDue && unsettled.add(slot)) {
            moving.add(slot);
            List<SimulatedServer> others = cluster.primaries().stream()
                    .filter(node -> node != cluster.primary(slot))
                    .toList();
            SimulatedServer target = others.get(chance.below(others.size()));
            if (workload == Workload.MOVES_WHOLE || chance.onceIn(6)) {
                cluster.moveWhole(slot, target);
                settle(slot);
            } else {
                long pace = chance.onceIn(3) ? 2 * SECOND : chance.onceIn(2) ? 400 * MILLI : 10 * MILLI;
                SimulatedCluster.Move move = cluster.begin(slot, target);
                world.after(chance.below(pace), () -> moveOn(move, pace));
            }
        }
        world.after(chance.below(4 * SECOND), this::move);
    }

    /** A key goes, or it is over; it goes on while nodes stand still, for an administrator tries again. */
    private void moveOn(SimulatedCluster.Move move, long pace) {
        boolean goes = move.source.isUndisturbed() && move.target.isUndisturbed();
        if (goes && !move.moveOne() && chance.onceIn(2)) {
            move.finish();
            settle(move.slot);
        } else {
            world.after(chance.below(pace) + MILLI, () -> moveOn(move, pace));
        }
    }

    private void settle(int slot) {
        moving.remove(slot);
        world.after(STAYS_NANOS, () -> unsettled.remove(slot));
    }

    // --- trouble ---

    private void trouble() {
        SimulatedClient client = clients.get(chance.below(clients.size()));
        long nanos = chance.below(2 * SECOND);
        Route route = client.cluster().network.anyRoute(chance);
        switch (chance.below(7)) {
            case 0 -> strikes(FaultKind.STALLED_REQUESTS, client, nanos, () -> route.holdRequests(nanos));
            case 1 -> strikes(FaultKind.STALLED_ANSWERS, client, nanos, () -> route.holdAnswers(nanos));
            case 2 -> strikes(FaultKind.PARTITION, client, nanos, () -> route.cutOff(nanos));
            case 3 ->
                strikes(FaultKind.CUT_CONNECTION, client, 0, () -> client.cluster()
                        .network
                        .endAnyConnection(chance));
            case 4 -> strikes(FaultKind.PAUSED_CLIENT, client, nanos, () -> client.pause(nanos, false));
            case 5 ->
                strikes(
                        FaultKind.CRASHED_CLIENT,
                        client,
                        options.lockOptions().watchdogLease().toNanos(),
                        () -> {
                            client.crash();
                            owners.crashed(client);
                            newClient();
                        });
            default -> {
                failoverIsDue = true;
                failOver(chance.between(1_000, 6_000) * MILLI);
            }
        }
    }

    private void strikes(FaultKind kind, SimulatedClient client, long nanos, Runnable fault) {
        if (!client.isInUse() && kind != FaultKind.PROMOTION) {
            return;
        }
        faults[kind.ordinal()]++;
        world.note("FAULT", kind.title() + " (" + client.name + ", " + nanos / MILLI + " ms)");
        disturbedUntilNanos = Math.max(disturbedUntilNanos, world.nanos() + nanos);
        fault.run();
    }

    /** A primary stops and is replaced, when no slot is on its way: of that a replica need not know. */
    private void failOver(long stoppedNanos) {
        if (!failoverIsDue || failingOver || world.nanos() > TROUBLE_END) {
            return;
        }
        if (!unsettled.isEmpty()) {
            world.after(200 * MILLI, () -> failOver(stoppedNanos));
            return;
        }
        failoverIsDue = false;
        List<SimulatedServer> primaries = cluster.primaries();
        SimulatedServer primary = primaries.get(chance.below(primaries.size()));
        failingOver = true;
        long noticedNanos = chance.between(300, 2_000) * MILLI;
        strikes(FaultKind.PROMOTION, clients.get(0), Math.max(stoppedNanos, noticedNanos) + 2 * SECOND, () -> {
            cluster.failOver(primary, Math.max(stoppedNanos, noticedNanos + SECOND), noticedNanos);
            world.after(stoppedNanos + noticedNanos + STAYS_NANOS, () -> failingOver = false);
        });
    }

    // --- the tail ---

    private void putRight() {
        world.note("WORLD", "everything is put right; no more operations");
        cluster.heal();
        clients.forEach(client -> client.cluster().network.heal());
        owners.giveBack();
    }

    private void end() {
        for (SimulatedServer server : servers) {
            for (LuaString key : server.keys().keys()) {
                if (server.keys().exists(key) && !key.tojstring().contains(":token:")) {
                    world.fail("HC", server.name + " still has " + key);
                }
            }
            if (server.subscriptions() > 0) {
                world.fail("LV", server.name + ": " + server.subscriptions() + " subscriptions are left");
            }
        }
        over = true;
    }
}
