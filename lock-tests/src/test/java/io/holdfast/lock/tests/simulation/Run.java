package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.KeyScheme;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.tests.simulation.SimulatedThread.AbandonedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * One run: clients and servers are made, owners act while things go wrong, then everything is put right, and in the end
 * all must be as if nothing had happened.
 */
final class Run implements Faults.Setting {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private static final long FAULTS_END = 37 * SECOND;
    private static final long OPERATIONS_END = 45 * SECOND;
    private static final long SETTLED = 51 * SECOND;
    private static final long DRAINED = 57 * SECOND;
    private static final long END = 60 * SECOND;
    private static final long MOST_BEFORE_RESTARTS_NANOS = 6 * SECOND;
    private static final long CROWD_NANOS = 4 * SECOND;
    private static final long CROWD_PAUSE_NANOS = 3 * SECOND;
    private static final long MOST_BETWEEN_QUESTIONS_NANOS = 16 * MILLI;
    private static final long MOST_LATE_NANOS = 300 * MILLI;
    private static final long MOST_LATE_CALL_NANOS = 50 * MILLI;

    /** Where servers are away for a second in turn: a lease outlives that, wherever its renewal was due. */
    private static final long LEAST_WATCHED_MILLIS = 3_500;

    private static final int LONG_QUEUE = 65_536;
    private static final long EPOCH_MICROS = 1_700_000_000_000_000L;
    private static final int MOST_DRIFT_PER_MILLION = 5_000;
    private static final List<String> LOCK_NAMES = List.of("a", "b");

    private final Workload workload;
    private final World world;
    private final Chance chance;
    private final Chance lateness;
    private final Ledger ledger;
    private final FencingChecker fencing;
    private final Referee referee;
    private final Operations operations;
    private final Faults faults;
    private final RollingRestarts restarts;
    private final CountChecker counts;
    private final RegainChecker regains;
    private final WakeUpChecker wakeUps;
    private final OrderChecker order;
    private final MannersChecker manners;
    private final QueueChecker queues;

    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final boolean fences;
    private final ClientOptions options;
    private Duration watchdogLease = Duration.ZERO;
    private final List<LuaString> luaKeys;
    private boolean over;

    Run(Workload workload, long seed, @Nullable Trace trace) {
        this.workload = workload;
        this.world = new World(seed, trace);
        this.chance = new Chance(seed, 1);
        this.lateness = new Chance(seed, 4);
        this.luaKeys = keys().stream().map(LuaString::valueOf).toList();
        Complaints complaints = world::fail;
        this.fencing = new FencingChecker(complaints, workload.servers, workload.climate.locks(), workload.isQuorum());
        this.fencing.mostAhead(
                TimeUnit.MILLISECONDS.toMicros(workload.climate.clockMargin().toMillis()));
        this.ledger = new Ledger(world, keys(), fencing, workload.isQuorum());
        this.referee = new Referee(world, ledger, fencing, complaints, workload.climate.locks());
        this.fences = (workload.faults == 0 || !chance.onceIn(10)) && workload.climate.fenced();
        this.referee.comparesCounts(fences && !workload.isQuorum() ? servers : List.of(), keys());
        this.options = options();
        Calls calls = new Calls(world, referee, options.commandTimeout().toNanos());
        this.operations = new Operations(calls, workload.climate, new Chance(seed, 2));
        long longestLease = Math.max(watchdogLease.toMillis(), workload.climate.longestLeaseMillis());
        this.faults = new Faults(world, this, ledger, new Chance(seed, 3), workload.climate, longestLease * MILLI);
        this.restarts = new RollingRestarts(
                world,
                servers,
                faults,
                workload.climate.rolling() && chance.onceIn(2)
                        ? SimulatedServer.Memory.ALL
                        : SimulatedServer.Memory.NOTHING,
                workload.climate.longestLeaseMillis() * MILLI,
                watchdogLease.toNanos() / 3,
                FAULTS_END);
        this.counts = new CountChecker(complaints);
        this.regains = new RegainChecker(complaints, longestLease * MILLI);
        this.wakeUps = new WakeUpChecker(complaints, workload.isQuorum(), workload.faults > 0);
        this.order = new OrderChecker(complaints, referee.chronicle, ledger);
        this.manners = new MannersChecker(
                world,
                complaints,
                luaKeys,
                options.maxOutage().toNanos(),
                workload.isQuorum(),
                longestLease * MILLI + SECOND,
                faults::holdsDisturbedUntilNanos);
        if (workload.climate.rolling()) {
            this.manners.expectsToBeKept(claim -> regains.hadTime(claim, restarts.latestNanos())
                    && !ledger.wasFreedByForce(claim.lock, claim.owner, claim.askedNanos));
        }
        this.referee.judges(manners);
        this.queues = new QueueChecker(
                world,
                complaints,
                keys(),
                clients,
                () -> workload.faults == 0 || workload.climate.reachesServers(),
                () -> workload.faults == 0,
                faults::hinderedUntilNanos,
                faults::messyUntilNanos);
        if (workload.climate.queues()) {
            this.ledger.queuesAreJudgedBy(queues);
        }
    }

    private List<String> lockNames() {
        return LOCK_NAMES.subList(0, workload.climate.locks());
    }

    private List<String> keys() {
        return workload.scheme == KeyScheme.REDISSON
                ? lockNames()
                : lockNames().stream().map(name -> "holdfast:{" + name + "}").toList();
    }

    private ClientOptions options() {
        watchdogLease = Duration.ofMillis(
                !workload.isQuorum() && chance.onceIn(4)
                        ? chance.between(7_000, 12_000)
                        : chance.between(
                                workload.climate.rolling() ? LEAST_WATCHED_MILLIS : 800,
                                workload.climate.longestLeaseMillis()));
        LockOptions locks = LockOptions.builder()
                .keyScheme(workload.scheme)
                .watchdogLease(watchdogLease)
                .listener(referee.listener(lockNames()))
                .build();
        ClientOptions.Builder options = ClientOptions.builder()
                .commandTimeout(Duration.ofMillis((workload.climate.far() ? 400 : 0) + chance.between(150, 700)))
                .connectTimeout(Duration.ofMillis(1_500))
                .heartbeat(Duration.ofMillis(chance.between(1_000, 3_000)))
                .backoffMin(Duration.ofMillis(20))
                .backoffMax(Duration.ofMillis(800))
                .queueLimit(workload.climate.crowded() ? (int) chance.between(1, 4) : LONG_QUEUE)
                .clientRecord(workload.climate.recorded())
                .maxOutage(Duration.ofMillis(chance.between(3_000, 6_000) / (workload.climate.impatient() ? 4 : 1)))
                .lockOptions(locks);
        return workload.climate.replicated()
                ? options.waitForReplicas(2, Duration.ofMillis(chance.between(20, 120)))
                        .build()
                : options.build();
    }

    // --- from the beginning to the end ---

    Verdict verdict() {
        SwallowedErrors.forget();
        try {
            populate();
            plan();
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
        Tally tally = Tally.ofRun(
                world.events(),
                operations.done,
                referee.granted(),
                referee.losses(),
                fencing.refusedWrites(),
                referee.excusedOverlaps(),
                order.givenUp(),
                faults.injected());
        return new Verdict(
                workload.title(),
                world.seed,
                broken == null ? "" : broken.checker,
                broken == null ? "" : String.valueOf(broken.getMessage()),
                world.hash(),
                tally);
    }

    private void populate() {
        for (int i = 0; i < workload.servers; i++) {
            long apartMicros = workload.isQuorum() && chance.onceIn(4) && workload.climate.clocksAreApart()
                    ? chance.below(300_000_000L)
                    : chance.below(20_000);
            Clock clock = new Clock(world, 0, drift());
            SimulatedServer server = new SimulatedServer(
                    world, i, clock, EPOCH_MICROS + apartMicros, new Chance(world.seed, 100 + i), ledger.book(i));
            server.follow();
            servers.add(server);
        }
        for (int i = 0; i < workload.climate.clients(); i++) {
            newClient();
        }
        world.observe(client -> {
            referee.happened(client);
            String swallowed = SwallowedErrors.first();
            if (swallowed != null) {
                world.fail("ERR", "the engine logged an error: " + swallowed);
            }
        });
    }

    private long drift() {
        return chance.between(-MOST_DRIFT_PER_MILLION, MOST_DRIFT_PER_MILLION);
    }

    private void newClient() {
        QuorumOptions quorum = workload.isQuorum()
                ? QuorumOptions.builder()
                        .longestLease(Duration.ofMillis(workload.climate.longestLeaseMillis()))
                        .clockMargin(workload.climate.clockMargin())
                        .build()
                : null;
        SimulatedClient client = new SimulatedClient(
                world,
                clients.size(),
                new Clock(world, chance.between(-SECOND, SECOND), drift()),
                new Chance(world.seed, 10 + clients.size()),
                options,
                workload.climate,
                quorum,
                servers,
                fences,
                lockNames());
        String ambush = workload.climate.ambush();
        if (!ambush.isEmpty()) {
            client.heard.whenCalled(
                    ambush,
                    () -> world.after(
                            0, client, () -> faults.called(ambush.equals("force") ? another(client) : client)));
        }
        clients.add(client);
    }

    /** Whom it hits that a client frees a lock by force. */
    private SimulatedClient another(SimulatedClient client) {
        return clients.stream()
                .filter(other -> other != client && other.isInUse())
                .findFirst()
                .orElse(client);
    }

    /** Operations come in bursts; faults leave calm stretches between them. */
    private void plan() {
        long atNanos = 5 * MILLI;
        for (int i = 0; i < Workload.OPERATIONS; i++) {
            world.after(Math.min(atNanos, OPERATIONS_END - MILLI), this::operate);
            int lot = chance.below(10);
            atNanos += lot < 5
                    ? chance.below(3 * MILLI)
                    : lot < 8 ? chance.below(300 * MILLI) : chance.below(3_400 * MILLI);
        }
        for (int i = 0; i < workload.faults; i++) {
            long planned = chance.onceIn(2) ? chance.below(14 * SECOND) : 20 * SECOND + chance.below(17 * SECOND);
            world.after(Math.min(planned, FAULTS_END), faults::inject);
        }
        if (workload.climate.rolling()) {
            world.after(chance.below(MOST_BEFORE_RESTARTS_NANOS), restarts::next);
        }
        if (workload.climate.crowded()) {
            world.after(CROWD_PAUSE_NANOS, this::crowd);
        }
        watch();
        world.after(OPERATIONS_END, this::putRight);
        world.after(SETTLED, this::settled);
        world.after(DRAINED, this::drained);
        world.after(END, this::end);
    }

    /** Asks one thing after the other for some seconds, which hold no lock and do no harm but that they are many. */
    private void crowd() {
        long pastNanos = world.nanos() % (CROWD_NANOS + CROWD_PAUSE_NANOS);
        if (world.nanos() < OPERATIONS_END - CROWD_NANOS) {
            clients.forEach(client -> world.after(0, client, () -> {
                if (client.isInUse()) {
                    client.lock(0).isLockedAsync();
                }
            }));
            boolean pauses = pastNanos < CROWD_PAUSE_NANOS;
            world.after(
                    pauses ? CROWD_PAUSE_NANOS - pastNanos : chance.below(MOST_BETWEEN_QUESTIONS_NANOS) + 1,
                    this::crowd);
        }
    }

    private void operate() {
        List<SimulatedClient> usable =
                clients.stream().filter(SimulatedClient::isInUse).toList();
        SimulatedClient client = usable.get(chance.below(usable.size()));
        world.after(0, client, () -> {
            if (client.isInUse()) {
                operations.next(client);
            }
        });
    }

    private void watch() {
        wakeUps.look(
                world.nanos(),
                faults.disturbedUntilNanos(),
                faults.messyUntilNanos(),
                servers,
                luaKeys,
                referee.ending.open(),
                new WakeUpChecker.Knowledge() {
                    @Override
                    public long heldUntilNanos(int lock) {
                        return ledger.heldUntilNanos(lock);
                    }

                    @Override
                    public boolean mayHaveToPoll(Call call) {
                        return workload.climate.deaf()
                                || referee.mayHaveToPoll(call)
                                || (workload.climate.queues() && !ledger.wasReleasedLast(call.lock));
                    }
                });
        manners.look(clients, referee, workload.faults > 0);
        if (workload.climate.queues()) {
            boolean calm = faults.disturbedUntilNanos() + WakeUpChecker.AFTERMATH_NANOS < world.nanos();
            queues.look(servers.get(0), referee.ending.open(), calm);
            queues.lookForIdle(servers.get(0).keys());
        }
        referee.disturbedUntil(faults.disturbedUntilNanos());
        if (workload.isQuorum()) {
            regains.look(world.nanos(), faults.holdsDisturbedUntilNanos(), servers, keys(), referee, ledger);
        }
        if (fences) {
            counts.lookForOrphans(world.nanos(), faults.disturbedUntilNanos(), clients, ledger, referee);
        }
        if (world.nanos() < DRAINED) {
            world.after(WakeUpChecker.PERIOD_NANOS, this::watch);
        }
    }

    // --- the tail, in which everything must drain ---

    private void putRight() {
        world.note("WORLD", "everything is put right; no more operations");
        faults.heal();
    }

    private void settled() {
        world.note("WORLD", "counts are compared, and everybody gives back what he has");
        counts.compare(clients, servers, referee, ledger, keys(), workload.isQuorum());
        drain();
    }

    private void drained() {
        // Where too few servers may be counted until the end, calls wait one behind the other until they are given up;
        // where no message arrives, they look one after the other, each every few seconds.
        if (faults.disturbedUntilNanos() < world.nanos() && !workload.climate.deaf()) {
            referee.ending.allEnded(call -> wakeUps.mayBeAboutToLook(call, world.nanos()));
        }
        close();
    }

    private void end() {
        nothingIsLeft();
        order.check(lockNames(), !fencing.isExcused());
        over = true;
    }

    /** Gives back whatever anybody has, and what anybody still gets. */
    private void drain() {
        for (Claim claim : referee.allClaims()) {
            world.after(0, claim.client, () -> operations.release(claim));
        }
        if (world.nanos() < DRAINED - 200 * MILLI) {
            world.after(100 * MILLI, this::drain);
        }
    }

    private void close() {
        for (SimulatedClient client : clients) {
            if (client.isInUse()) {
                world.after(0, client, () -> close(client));
            }
        }
    }

    private void close(SimulatedClient client) {
        long startNanos = world.nanos();
        client.closing();
        long pausedBefore = client.pausedNanos();
        boolean wellBefore = faults.disturbedUntilNanos() + WakeUpChecker.AFTERMATH_NANOS < startNanos;
        world.note(client.name, "is closing");
        client.thread(SimulatedClient.THREADS - 1).execute(() -> {
            try {
                client.api().close();
            } catch (AbandonedException crashed) {
                return;
            }
            client.ended();
            world.note(client.name, "is closed");
            long tookNanos = world.nanos() - startNanos - (client.pausedNanos() - pausedBefore);
            if (tookNanos > options.commandTimeout().toNanos() + MOST_LATE_NANOS) {
                world.fail("LV", client.name + ": was closed after " + tookNanos / MILLI + " ms");
            }
            world.after(200 * MILLI, () -> closed(client, startNanos));
            world.after(200 * MILLI, () -> leftNothing(client, wellBefore));
        });
        long later = lateness.onceIn(2) ? lateness.below(MILLI) : lateness.below(MOST_LATE_CALL_NANOS);
        world.after(later, client, () -> operations.askTooLate(client));
    }

    /** Nothing of a closed client goes on. */
    private void closed(SimulatedClient client, long startNanos) {
        for (SimulatedBackend backend : client.backends) {
            if (backend.commands.open() > 0 || backend.messages.topics() > 0) {
                world.fail(
                        "LV",
                        client.name + ": closed " + (world.nanos() - startNanos) / MILLI + " ms ago, but "
                                + backend.commands.open() + " requests and " + backend.messages.topics()
                                + " subscriptions are left");
            }
        }
        for (Call call : referee.ending.open()) {
            if (call.client == client) {
                world.fail("LV", call + ": has not ended though its client is closed");
            }
        }
    }

    /** With everything in order, a client that was closed has given back all that it had, but for a fixed lease that ran out. */
    private void leftNothing(SimulatedClient client, boolean wellBefore) {
        boolean well = wellBefore && faults.disturbedUntilNanos() + WakeUpChecker.AFTERMATH_NANOS < world.nanos();
        for (Acquisition each : ledger.present()) {
            if (well
                    && fences
                    && !each.ranOut
                    && each.owner().startsWith(client.api().id() + ':')) {
                world.fail("HC", client.name + ": is closed, but " + each.field + " is still there");
            }
        }
    }

    private void nothingIsLeft() {
        for (SimulatedServer server : servers) {
            for (String key : keys()) {
                counts.nothingLeft(server, key, ledger, fences);
            }
            if (server.subscriptions() > 0) {
                world.fail("LV", server.name + ": " + server.subscriptions() + " subscriptions are left");
            }
        }
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
        referee.crashed(gone);
        newClient();
    }

    @Override
    public void closeAndReplace(SimulatedClient client) {
        world.after(0, client, () -> {
            if (client.isInUse()) {
                close(client);
            }
        });
        newClient();
    }
}
