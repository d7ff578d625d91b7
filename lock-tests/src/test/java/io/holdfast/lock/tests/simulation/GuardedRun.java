package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.SentinelOptions;
import io.holdfast.lock.tests.simulation.SimulatedServer.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of clients with the failover guard (rules 86 to 89): the primary is replaced again and again, stops, and restarts, with
 * its data or without; old ones go on taking writes, and clients hear of it late. No two owners may hold one lock, whatever
 * happens; and when everything is put right, locks are granted again.
 */
final class GuardedRun {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int CLIENTS = 3;
    private static final List<String> LOCKS = List.of("a", "b");
    private static final long TROUBLE_END = 45 * SECOND;
    private static final long END = 70 * SECOND;
    private static final long END_WITH_QUEUES = 155 * SECOND;
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
    private static final int MOST_DRIFT_PER_MILLION = 4_000;

    private final Workload workload;
    private final World world;
    private final Chance chance;
    private final long longestLeaseMillis;
    private final ClientOptions options;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final SimulatedGroup group;
    private final GuardedOwners owners;
    private boolean over;
    private int failovers;
    private long undisturbedUntilNanos;

    GuardedRun(Workload workload, long seed, @Nullable Trace trace) {
        this.workload = workload;
        this.world = new World(seed, trace);
        this.chance = new Chance(seed, 1);
        this.longestLeaseMillis = chance.onceIn(2) ? chance.between(3_000, 5_000) : chance.between(800, 4_000);
        this.options = options();
        List<SimulatedServer> servers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            servers.add(new SimulatedServer(
                    world,
                    i,
                    new Clock(world, 0, drift()),
                    EPOCH_MICROS + chance.below(20_000),
                    new Chance(seed, 100 + i),
                    Unconcerned.WITNESS));
        }
        this.group = new SimulatedGroup(world, new Chance(seed, 2), servers);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new SimulatedClient(
                    world,
                    i,
                    new Clock(world, chance.between(-SECOND, SECOND), drift()),
                    new Chance(seed, 10 + i),
                    options,
                    Climate.USUAL,
                    null,
                    servers.subList(0, 1),
                    !chance.onceIn(4),
                    LOCKS));
        }
        this.owners = new GuardedOwners(
                world, new Chance(seed, 3), longestLeaseMillis, clients, LOCKS, workload == Workload.GUARD_FAMILY);
    }

    private ClientOptions options() {
        return ClientOptions.builder()
                .commandTimeout(
                        Duration.ofMillis(chance.onceIn(2) ? chance.between(300, 2_000) : chance.between(3_000, 6_000)))
                .connectTimeout(Duration.ofMillis(1_500))
                .heartbeat(Duration.ofMillis(chance.between(2_000, 9_000)))
                .backoffMin(Duration.ofMillis(20))
                .backoffMax(Duration.ofMillis(400))
                .clientRecord(false)
                .maxOutage(Duration.ofSeconds(20))
                .sentinel(SentinelOptions.builder()
                        .silence(Duration.ofMillis(chance.onceIn(2) ? 1_000 : chance.between(1_000, 3_000)))
                        .build())
                .failoverGuard(Duration.ofMillis(longestLeaseMillis))
                .lockOptions(LockOptions.builder()
                        .watchdogLease(Duration.ofMillis(chance.between(longestLeaseMillis / 2, longestLeaseMillis)))
                        .build())
                .build();
    }

    private long drift() {
        return chance.between(-MOST_DRIFT_PER_MILLION, MOST_DRIFT_PER_MILLION);
    }

    // --- from the beginning to the end ---

    Verdict verdict() {
        SwallowedErrors.forget();
        try {
            world.observe(client -> look());
            world.after(5 * MILLI, this::operate);
            world.after(chance.below(9 * SECOND), this::trouble);
            world.after(TROUBLE_END, this::putRight);
            world.after(workload == Workload.GUARD_FAMILY ? END_WITH_QUEUES : END, this::end);
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
        int[] faults = new int[FaultKind.values().length];
        faults[FaultKind.PROMOTION.ordinal()] = failovers;
        return new Verdict(
                workload.title(),
                world.seed,
                broken == null ? "" : broken.checker,
                broken == null ? "" : String.valueOf(broken.getMessage()),
                world.hash(),
                Tally.ofRun(world.events(), owners.asked(), owners.granted(), owners.lost(), 0, 0, 0, faults));
    }

    private void look() {
        owners.exclude();
        String swallowed = SwallowedErrors.first();
        if (swallowed != null) {
            world.fail("ERR", "the engine logged an error: " + swallowed);
        }
    }

    private void operate() {
        if (world.nanos() < TROUBLE_END) {
            owners.next();
            world.after(chance.onceIn(3) ? chance.below(400 * MILLI) : chance.below(40 * MILLI), this::operate);
        }
    }

    // --- trouble ---

    private void trouble() {
        if (world.nanos() >= TROUBLE_END) {
            return;
        }
        int lot = chance.below(12);
        if (lot < 3) {
            failOver();
        } else if (lot < 5) {
            failOverAndBack();
        } else if (lot < 8) {
            strand();
        } else if (lot < 9) {
            stop();
            if (!chance.onceIn(3)) {
                world.after(chance.below(2 * SECOND), this::failOver);
            }
        } else if (lot < 10) {
            restart();
        } else {
            SimulatedClient client = clients.get(chance.below(CLIENTS));
            if (chance.onceIn(2)) {
                client.pause(chance.below(4 * SECOND), false);
            } else {
                client.backends.get(0).commands.route.holdRequests(chance.below(4 * SECOND));
            }
        }
        // Now and then one follows the other at once; what takes its time is mostly left alone.
        long wait = chance.onceIn(3) ? chance.below(SECOND) : chance.below(10 * SECOND);
        boolean waits = !chance.onceIn(4);
        world.after(waits ? Math.max(wait, undisturbedUntilNanos - world.nanos()) : wait, this::trouble);
    }

    private void failOver() {
        if (world.nanos() < TROUBLE_END) {
            failovers++;
            group.failOver();
        }
    }

    /** The primary stops for about a lease and is replaced; one client that asked it before does not hear of that. */
    private void strand() {
        failovers++;
        long lease = options.lockOptions().watchdogLease().toNanos();
        SimulatedClient client = clients.get(chance.below(CLIENTS));
        long nanos = chance.between(2 * lease / 3, lease + SECOND);
        world.note(
                "FAULT", group.primary().name + " is stopped, and " + client.name + " does not hear of its successor");
        if (!chance.onceIn(4)) {
            group.primary().stop(nanos);
        }
        group.failOverBehind(client, nanos + chance.below(4 * SECOND));
        undisturbedUntilNanos = world.nanos() + nanos + 2 * SECOND;
        for (int i = 0; i < 4; i++) {
            world.after(chance.below(900 * MILLI), () -> owners.tryNow(client));
        }
    }

    private void failOverAndBack() {
        failovers += 2;
        long pauseNanos =
                longestLeaseMillis * MILLI + options.sentinel().silence().toNanos();
        group.failOverAndBack(pauseNanos);
        undisturbedUntilNanos = world.nanos() + 2 * pauseNanos + 3 * SECOND;
    }

    private void stop() {
        long nanos = chance.below(6 * SECOND);
        world.note("FAULT", group.primary().name + " is stopped for " + nanos / MILLI + " ms");
        group.primary().stop(nanos);
    }

    private void restart() {
        Memory memory = chance.onceIn(2) ? Memory.ALL : Memory.NOTHING;
        world.note("FAULT", group.primary().name + " is restarted with " + memory);
        group.primary().restart(chance.below(300 * MILLI), chance.below(200 * MILLI), memory);
    }

    // --- the tail ---

    private void putRight() {
        world.note("WORLD", "everything is put right; no more operations");
        group.heal();
        clients.forEach(client -> client.backends.get(0).commands.route.heal());
        owners.giveBack();
        // A pause may have begun just now: the longest lease, the silence, and some time for answers.
        world.after(15 * SECOND, owners::askOnceMore);
    }

    private void end() {
        owners.allEnded();
        over = true;
    }
}
