package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.tests.simulation.SimulatedServer.Memory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.luaj.vm2.LuaString;

/** Lets things go wrong. Whatever breaks an assumption is entered in the ledger, for the holds that it touches only. */
final class Faults {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long REST_OF_THE_RUN = 60 * SECOND;
    private static final long LONGEST_LAG_NANOS = 300 * MILLI;

    private static final List<FaultKind> HARMLESS = Stream.of(FaultKind.values())
            .filter(kind -> kind.breaks == FaultKind.Assumption.NONE)
            .toList();
    private static final List<FaultKind> ALL =
            Stream.of(FaultKind.values()).filter(FaultKind::isUsual).toList();
    /** What hurts only the client that it happens to, or only what it hears: the requests of the others reach their server. */
    private static final Set<FaultKind> OF_ONE_CLIENT = EnumSet.of(
            FaultKind.PAUSED_CLIENT,
            FaultKind.CRASHED_CLIENT,
            FaultKind.CLOSED_CLIENT,
            FaultKind.CUT_MESSAGES,
            FaultKind.MESSY_MESSAGES,
            FaultKind.FLUSHED_SCRIPTS);

    private final Setting setting;
    private final World world;
    private final Chance chance;
    private final Doubts ledger;
    /** What may go wrong in this run. Half of the runs keep to the assumptions, so that exclusion must hold throughout. */
    private final List<FaultKind> kinds;

    private final int[] injected = new int[FaultKind.values().length];
    private final long aftermathNanos;
    private final long longestNanos;
    private final boolean ambush;
    private final boolean oneStays;
    /** How many faults lie in wait. */
    private int lurking;

    private long disturbedUntilNanos;
    private long holdsDisturbedUntilNanos;
    private long messyUntilNanos;
    private long hinderedUntilNanos;
    private long forgetfulUntilNanos = -1;
    private final Set<SimulatedServer> restarted = new HashSet<>();

    /** Who there is to hurt. */
    interface Setting {

        List<SimulatedServer> servers();

        List<SimulatedClient> clients();

        void replace(SimulatedClient gone);

        void closeAndReplace(SimulatedClient client);
    }

    /** @param longestLeaseNanos how long the traces of a fault may last */
    Faults(World world, Setting setting, Doubts ledger, Chance chance, Climate climate, long longestLeaseNanos) {
        this.longestNanos = climate.longestOutageMillis() * MILLI;
        this.ambush = !climate.ambush().isEmpty();
        this.oneStays = climate.oneServerStays();
        this.aftermathNanos = longestLeaseNanos + SECOND;
        this.world = world;
        this.setting = setting;
        this.ledger = ledger;
        this.chance = chance;
        List<FaultKind> usual = chance.onceIn(2) ? HARMLESS : ALL;
        this.kinds = climate.kinds().isEmpty() ? usual : climate.kinds();
    }

    /** Something goes wrong: now, or at the next call that faults lie in wait for. */
    void inject() {
        if (ambush) {
            lurking++;
            return;
        }
        List<SimulatedClient> running =
                setting.clients().stream().filter(SimulatedClient::isInUse).toList();
        inject(kinds.get(chance.below(kinds.size())), running.get(chance.below(running.size())));
    }

    /** A client makes a call that faults lie in wait for. */
    void called(SimulatedClient client) {
        if (lurking > 0) {
            lurking--;
            inject(kinds.get(chance.below(kinds.size())), client);
        }
    }

    private void inject(FaultKind kind, SimulatedClient client) {
        SimulatedServer server = setting.servers().get(chance.below(hurtServers()));
        SimulatedBackend backend = client.backends.get(server.index);
        strikes(kind, client.name + ", " + server.name);
        // What broke an assumption is noticed when a lease is over.
        touched(kind.breaks == FaultKind.Assumption.NONE ? 0 : aftermathNanos);
        if (!OF_ONE_CLIENT.contains(kind)) {
            hindered(kind.breaks == FaultKind.Assumption.NONE ? 0 : aftermathNanos);
        }
        inject(kind, client, server, backend);
    }

    private void strikes(FaultKind kind, String whom) {
        injected[kind.ordinal()]++;
        if (world.isTraced()) {
            world.note("FAULT", kind.title() + " (" + whom + ")");
        }
        world.mix(kind.ordinal());
    }

    /** How many servers, of the first, something may happen to. */
    private int hurtServers() {
        return setting.servers().size() - (oneStays ? 1 : 0);
    }

    private void inject(FaultKind kind, SimulatedClient client, SimulatedServer server, SimulatedBackend backend) {
        Route route = backend.commands.route;
        switch (kind) {
            case SLOW_NETWORK -> {
                route.slow(chance.between(5 * MILLI, 400 * MILLI));
                later(length(), () -> route.slow(0));
            }
            case STALLED_REQUESTS -> route.holdRequests(lasting(length()));
            case STALLED_ANSWERS -> route.holdAnswers(lasting(length()));
            case CUT_CONNECTION -> cut(backend.commands);
            case STALL_AND_CUT -> {
                long nanos = lasting(length());
                if (chance.onceIn(2)) {
                    route.holdAnswers(nanos);
                } else {
                    route.holdRequests(nanos);
                }
                later(chance.below(nanos), () -> cut(backend.commands));
            }
            case PARTITION -> {
                long nanos = lasting(length());
                if (chance.percent(80)) {
                    route.cutOff(nanos);
                }
                if (chance.percent(50)) {
                    backend.messages.route.cutOff(nanos);
                }
            }
            case CUT_MESSAGES -> {
                backend.messages.route.cutOff(chance.below(800 * MILLI));
                backend.messages.lose(reset(backend.messages));
            }
            case MESSY_MESSAGES -> {
                long nanos = length();
                messyUntilNanos = Math.max(messyUntilNanos, world.nanos() + nanos);
                backend.messages.messy(true);
                world.after(nanos, () -> backend.messages.messy(false));
            }
            case SLOW_SERVER -> {
                server.slow(chance.between(1 * MILLI, 60 * MILLI));
                later(length(), () -> server.slow(0));
            }
            case STOPPED_SERVER -> server.stop(lasting(length()));
            case BUSY_SERVER -> server.busy(lasting(length()));
            case FULL_SERVER -> {
                server.keys().full(true);
                later(length(), () -> server.keys().full(false));
            }
            case DEMOTED_SERVER -> {
                server.keys().readOnly(true);
                later(length(), () -> server.keys().readOnly(false));
            }
            case FLUSHED_SCRIPTS -> server.forgetScripts();
            case RESTART_WITH_DATA -> {
                if (server.isAppendOnly()) {
                    restart(server, Memory.ALL);
                } else {
                    // It kept no file, and so has none to come back with.
                    restartFromSnapshot(server);
                }
            }
            case PAUSED_CLIENT -> pause(client, route);
            case CRASHED_CLIENT -> {
                setting.replace(client);
                touched(aftermathNanos);
            }
            case CLOSED_CLIENT -> setting.closeAndReplace(client);
            case CLOCK_STEP_BACK -> {
                server.clock.step(-chance.between(MILLI, 4 * SECOND));
                disturbed(aftermathNanos);
            }
            case SUSPENDED_CLIENT -> {
                long nanos = lasting(length());
                client.doubtClock(nanos + aftermathNanos);
                client.pause(nanos, true);
            }
            case CLOCK_STEP_AHEAD -> {
                ledger.doubt(server.index);
                server.clock.step(chance.between(MILLI, 120 * SECOND));
            }
            case FAST_CLOCK -> {
                ledger.doubtFromNowOn(server.index, true);
                server.clock.drift(chance.between(20_000, 100_000));
                later(length(), () -> {
                    server.clock.drift(0);
                    ledger.doubtFromNowOn(server.index, false);
                });
            }
            case RESTART_WITHOUT_DATA -> {
                doubtIfForgetful(server);
                restart(server, Memory.NOTHING);
            }
            case RESTART_FROM_SNAPSHOT -> restartFromSnapshot(server);
            case EVICTION -> evict(server);
            case PROMOTION -> {
                ledger.doubt(server.index);
                leftOut(server);
                server.promote(chance.below(LONGEST_LAG_NANOS), chance.between(-50 * MILLI, 50 * MILLI));
                // What the replica brings back has been gone meanwhile.
                ledger.doubt(server.index);
                server.endConnections("connection reset by peer");
            }
        }
    }

    /** Sometimes with answers on their way, which it then reads when it is late for them. */
    private void pause(SimulatedClient client, Route route) {
        long nanos = length();
        touched(nanos);
        if (chance.onceIn(2)) {
            client.pause(nanos, false);
            return;
        }
        long before = chance.below(1_500 * MILLI);
        route.holdAnswers(lasting(before + chance.below(nanos + 1)));
        disturbed(before + nanos);
        world.after(before, () -> client.pause(nanos, false));
    }

    private static Fault reset(Link link) {
        return new Fault(Fault.Kind.DISCONNECTED, true, link.server.name, "connection reset");
    }

    private void cut(Link link) {
        disturbed(0);
        link.lose(reset(link));
    }

    private void restartFromSnapshot(SimulatedServer server) {
        doubtIfForgetful(server);
        restart(server, Memory.MARKER);
    }

    private void restart(SimulatedServer server, Memory memory) {
        long down = down();
        long loading = loading();
        disturbed(down + loading);
        leftOut(server);
        server.restart(down, loading, memory);
    }

    /**
     * A server is restarted in its turn, when those before it are well again. Holds are not to notice that, so it excuses
     * nothing, and is no disturbance for them.
     *
     * @return for how long it is away
     */
    long restartInTurn(SimulatedServer server, Memory memory) {
        strikes(memory == Memory.ALL ? FaultKind.RESTART_WITH_DATA : FaultKind.RESTART_WITHOUT_DATA, server.name);
        long down = down();
        long loading = loading();
        disturbedUntilNanos = Math.max(disturbedUntilNanos, world.nanos() + down + loading);
        server.restart(down, loading, memory);
        return down + loading;
    }

    private long down() {
        return chance.below(400 * MILLI);
    }

    private long loading() {
        return chance.onceIn(2) ? 0 : chance.below(500 * MILLI);
    }

    /**
     * One server of several that was restarted is left out for a lease and the difference of their clocks, which may be
     * minutes. With more of them, locks may be out of reach for the rest of the run.
     */
    private void leftOut(SimulatedServer server) {
        restarted.add(server);
        if (setting.servers().size() > 1
                && restarted.size() > (setting.servers().size() - 1) / 2) {
            disturbed(REST_OF_THE_RUN);
        }
    }

    /**
     * One server of several may forget while the others remember; then it is left out. A second one may not, unless every
     * client can reach one that was never restarted.
     */
    private void doubtIfForgetful(SimulatedServer server) {
        if (oneStays) {
            return;
        }
        if (setting.servers().size() == 1 || world.nanos() < forgetfulUntilNanos) {
            setting.servers().forEach(each -> ledger.doubt(each.index));
        }
        forgetfulUntilNanos = world.nanos() + 10 * SECOND;
    }

    private void evict(SimulatedServer server) {
        List<LuaString> keys = new ArrayList<>(server.keys().keys());
        keys.removeIf(key -> key.tojstring().endsWith(":marker") && chance.percent(80));
        if (!keys.isEmpty()) {
            server.evict(keys.get(chance.below(keys.size())));
        }
    }

    /** Mostly short, now and then longer than any lease. */
    private long length() {
        int lot = chance.below(4);
        return lot == 0
                ? chance.below(20 * MILLI)
                : lot < 3 ? chance.below(longestNanos / 4) : chance.below(longestNanos);
    }

    private long lasting(long nanos) {
        disturbed(nanos);
        return nanos;
    }

    private void later(long nanos, Runnable end) {
        disturbed(nanos);
        world.after(nanos, end);
    }

    private void disturbed(long nanos) {
        touched(nanos);
        hindered(nanos);
    }

    private void hindered(long nanos) {
        hinderedUntilNanos = Math.max(hinderedUntilNanos, world.nanos() + nanos);
    }

    private void touched(long nanos) {
        disturbedUntilNanos = Math.max(disturbedUntilNanos, world.nanos() + nanos);
        holdsDisturbedUntilNanos = Math.max(holdsDisturbedUntilNanos, disturbedUntilNanos);
    }

    /** When the last fault so far is over that hurts more than messages. */
    long disturbedUntilNanos() {
        return disturbedUntilNanos;
    }

    /** When the last fault so far is over by which requests of clients that are there may not reach their server. */
    long hinderedUntilNanos() {
        return hinderedUntilNanos;
    }

    /** When the last fault so far is over from which holds may suffer: none that were taken before servers restart in turn. */
    long holdsDisturbedUntilNanos() {
        return holdsDisturbedUntilNanos;
    }

    /** When the last fault so far is over after which messages were lost. */
    long messyUntilNanos() {
        return messyUntilNanos;
    }

    /** Everything is put right again. */
    void heal() {
        lurking = 0;
        setting.servers().forEach(SimulatedServer::heal);
        for (SimulatedClient client : setting.clients()) {
            for (SimulatedBackend backend : client.backends) {
                backend.commands.route.heal();
                backend.messages.route.heal();
                backend.messages.messy(false);
            }
        }
    }

    int[] injected() {
        return injected;
    }
}
