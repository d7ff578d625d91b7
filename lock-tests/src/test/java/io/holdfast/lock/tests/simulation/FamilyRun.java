package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * One run in which owners read, write, and take the same locks fairly and plainly (rules 39 to 54), or take permits of the same
 * semaphores (rules 55 to 57). Readers may be together, others may not, and no more permits are taken than there are; who came
 * first is admitted first; what is free is not left to those who wait; and in the end nothing is left at the server.
 */
final class FamilyRun implements Faults.Setting {

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
    private final SimulatedServer server;
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
        String end = workload.isOfPermits() ? ":permits" : "";
        List<String> keys =
                locks.stream().map(name -> "holdfast:{" + name + "}" + end).toList();
        this.queues = new QueueChecker(
                world,
                world::fail,
                keys,
                clients,
                () -> workload.faults == 0 || workload.climate.reachesServers(),
                () -> workload.faults == 0);
        this.server = new SimulatedServer(
                world, 0, new Clock(world, 0, drift()), EPOCH_MICROS, new Chance(seed, 100), witness());
        for (int i = 0; i < CLIENTS; i++) {
            newClient();
        }
        FencingChecker unused = new FencingChecker((checker, what) -> {}, 1, locks.size(), false);
        Ledger ledger = new Ledger(world, keys, unused, false);
        ledger.book(0);
        this.faults = new Faults(world, this, ledger, new Chance(seed, 3), workload.climate, 5_000 * MILLI);
        Chance ofOwners = new Chance(seed, 2);
        boolean calm = workload.faults == 0;
        this.owners = workload.isOfPermits()
                ? new PermitOwners(world, ofOwners, clients, server, locks, calm)
                : new FamilyOwners(world, ofOwners, clients, server, locks, keys, calm);
    }

    /** What the server does is of interest for its queues. */
    private SimulatedServer.Witness witness() {
        return new Unconcerned() {
            @Override
            public void removed(LuaString key, LuaString field, Keyspace.Cause cause) {
                owners.gone(key, cause == Keyspace.Cause.RELEASED);
            }

            @Override
            public void ran(Request request, Keyspace data) {
                queues.ran(request, data);
                owners.ran(request, data);
            }

            @Override
            public void lostData(Keyspace data) {
                queues.lostData(data);
                owners.lostData();
            }
        };
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
                null,
                List.of(server),
                true,
                locks));
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
        owners.lookForIdleLocks(faults.disturbedUntilNanos() + WakeUpChecker.AFTERMATH_NANOS);
        if (world.nanos() < DRAINED) {
            world.after(LOOK_NANOS, this::look);
        }
    }

    private void putRight() {
        world.note("WORLD", "everything is put right; no more operations");
        faults.heal();
        owners.giveBack();
    }

    private void end() {
        for (LuaString key : server.keys().keys()) {
            if (server.keys().exists(key) && !isKept(key.tojstring())) {
                world.fail("HC", server.name + " still has " + key);
            }
        }
        over = true;
    }

    /** Tokens have to increase for ever, and a limit is what a user has set. */
    private static boolean isKept(String key) {
        return key.contains(":token:") || key.endsWith(":limit");
    }

    // --- for the faults ---

    @Override
    public List<SimulatedServer> servers() {
        return List.of(server);
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
    }

    @Override
    public void closeAndReplace(SimulatedClient client) {
        throw new UnsupportedOperationException("no client is closed here");
    }
}
