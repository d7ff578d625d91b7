package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.tests.simulation.SimulatedThread.AbandonedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * One run in which owners want what several may have, in one way or another: locks with two halves, permits, conditions, terms
 * ({@link SharedOwners}). Who came first is admitted first; what is free is not left so while calls wait; and in the end nothing is
 * left at the servers.
 */
final class FamilyRun implements Faults.Setting, Doubts {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long FAULTS_END = 35 * SECOND;
    private static final long OPERATIONS_END = 40 * SECOND;
    private static final long DRAINED = 66 * SECOND;
    private static final long END = 84 * SECOND;
    private static final long LOOK_NANOS = 100 * MILLI;
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
    private static final int MOST_DRIFT_PER_MILLION = 4_000;
    private static final int CLIENTS = 3;

    private final Workload workload;
    private final World world;
    private final Chance chance;
    private final ClientOptions options;
    private final List<String> locks;
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final @Nullable QuorumOptions quorum;
    private final QueueChecker queues;
    private final Faults faults;
    private final SharedOwners owners;
    private boolean over;

    FamilyRun(Workload workload, long seed, @Nullable Trace trace) {
        this.workload = workload;
        this.world = new World(seed, trace);
        this.chance = new Chance(seed, 1);
        this.locks = List.of("a", "b").subList(0, workload.climate.locks());
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
        this.quorum = workload.isQuorum()
                ? QuorumOptions.builder()
                        .longestLease(Duration.ofMillis(workload.climate.longestLeaseMillis()))
                        .clockMargin(workload.climate.clockMargin())
                        .build()
                : null;
        for (int i = 0; i < workload.servers; i++) {
            SimulatedServer server = new SimulatedServer(
                    world, i, new Clock(world, 0, drift()), EPOCH_MICROS, new Chance(seed, 100 + i), new Witness());
            server.follow();
            servers.add(server);
        }
        for (int i = 0; i < CLIENTS; i++) {
            newClient();
        }
        this.faults = new Faults(world, this, this, new Chance(seed, 3), workload.climate, 5_000 * MILLI);
        this.queues = new QueueChecker(
                world,
                world::fail,
                locks.stream().map(workload.scene::key).toList(),
                clients,
                () -> workload.faults == 0 || workload.climate.reachesServers(),
                () -> workload.faults == 0,
                faults::hinderedUntilNanos,
                faults::messyUntilNanos);
        this.owners = owners(new SharedOwners.Ground(
                world, new Chance(seed, 2), clients, servers, locks, workload.isQuorum(), workload.faults == 0));
    }

    private SharedOwners owners(SharedOwners.Ground ground) {
        return switch (workload.scene) {
            case BESIDE -> new BesideOwners(ground);
            case PERMITS -> new PermitOwners(ground);
            case CONDITIONS -> new ConditionOwners(ground, workload.climate, options);
            case LATCHES -> new LatchOwners(ground);
            case ELECTIONS -> new ElectionOwners(ground, workload.climate, options);
            default -> new FamilyOwners(ground);
        };
    }

    /** What a server does is of interest for its queues. */
    private final class Witness extends Unconcerned {

        @Override
        public void removed(LuaString key, LuaString field, Keyspace.Cause cause) {
            boolean takenAway = cause == Keyspace.Cause.EVICTED || cause == Keyspace.Cause.FORGOTTEN;
            boolean ofOwner =
                    field.tojstring().contains(":") && !key.tojstring().endsWith(":queue");
            if (ofOwner && (takenAway && quorum == null || cause == Keyspace.Cause.FORCED)) {
                owners.doubt(field.tojstring());
            }
            if (cause == Keyspace.Cause.EXPIRED) {
                queues.expired(key);
            }
            owners.gone(key, cause);
        }

        @Override
        public void ran(Request request, Keyspace data) {
            if (quorum == null) {
                queues.ran(request, data);
            }
            owners.ran(request, data);
        }

        @Override
        public void lostData(Keyspace data) {
            queues.lostData(data);
            owners.lostData();
        }
    }

    private long drift() {
        return chance.between(-MOST_DRIFT_PER_MILLION, MOST_DRIFT_PER_MILLION);
    }

    private void newClient() {
        int index = clients.size();
        SimulatedClient client = new SimulatedClient(
                world,
                index,
                new Clock(world, chance.between(-SECOND, SECOND), drift()),
                new Chance(world.seed, 10 + index),
                options,
                workload.climate,
                quorum,
                servers,
                workload.climate.fenced(),
                locks);
        String ambush = workload.climate.ambush();
        if (!ambush.isEmpty()) {
            client.heard.whenCalled(ambush, () -> world.after(0, client, () -> faults.called(client)));
        }
        clients.add(client);
    }

    // --- from the beginning to the end ---

    Verdict verdict() {
        SwallowedErrors.forget();
        try {
            world.observe(client -> lookAfterEach());
            world.after(5 * MILLI, this::operate);
            for (int i = 0; i < workload.faults; i++) {
                world.after(chance.below(FAULTS_END), faults::inject);
            }
            world.after(LOOK_NANOS, this::look);
            world.after(OPERATIONS_END, this::putRight);
            world.after(DRAINED, this::drained);
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
                Tally.ofRun(
                        world.events(), owners.asked(), owners.granted(), owners.lost(), 0, 0, 0, faults.injected()));
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
        owners.look(faults.disturbedUntilNanos() + WakeUpChecker.AFTERMATH_NANOS);
        if (quorum == null) {
            queues.lookForIdle(servers.get(0).keys());
        }
        if (world.nanos() < DRAINED) {
            world.after(LOOK_NANOS, this::look);
        }
    }

    private void putRight() {
        world.note("WORLD", "everything is put right; no more operations");
        faults.heal();
        owners.giveBack();
    }

    /** Where too few servers may be counted until the end, calls wait one behind the other until they are given up. */
    private void drained() {
        if (faults.disturbedUntilNanos() < world.nanos()) {
            owners.allEnded();
        }
    }

    private void end() {
        for (SimulatedServer server : servers) {
            for (LuaString key : server.keys().keys()) {
                if (server.keys().exists(key) && !isKept(key.tojstring())) {
                    world.fail("HC", server.name + " still has " + key);
                }
            }
        }
        over = true;
    }

    /**
     * Tokens and signals have to increase for ever, a limit is what a user has set, and what a leader has said stays for an hour, as
     * does an open latch.
     */
    private static boolean isKept(String key) {
        return key.contains(":token:")
                || List.of(":limit", ":marker", ":leader", ":latch", ":signal").stream()
                        .anyMatch(key::endsWith);
    }

    // --- for the faults ---

    @Override
    public List<SimulatedServer> servers() {
        return servers;
    }

    @Override
    public List<SimulatedClient> clients() {
        return clients;
    }

    @Override
    public void replace(SimulatedClient gone) {
        gone.crash();
        owners.crashed(gone);
        newClient();
        owners.joined(clients.get(clients.size() - 1));
    }

    @Override
    public void closeAndReplace(SimulatedClient client) {
        world.after(0, client, () -> {
            if (client.isInUse()) {
                client.thread(0).execute(() -> close(client));
            }
        });
        newClient();
        owners.joined(clients.get(clients.size() - 1));
    }

    private void close(SimulatedClient client) {
        try {
            client.api().close();
            client.ended();
        } catch (AbandonedException crashed) {
            world.note(client.name, "has crashed while it was closed");
        }
    }

    @Override
    public void doubt(int server) {
        Keyspace data = servers.get(server).keys();
        for (String name : locks) {
            Places.in(data, workload.scene.key(name)).forEach(member -> owners.doubt(member.substring(1)));
        }
        // Presence is over before its time as well, where a clock jumps.
        queues.lostData(data);
        owners.lostData();
    }

    @Override
    public void doubtFromNowOn(int server, boolean on) {
        throw new UnsupportedOperationException("no clock is fast here");
    }
}
