package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.tests.simulation.SimulatedServer.Memory;
import java.util.List;

/**
 * Restarts the servers of a quorum one by one, all with their data or all without, as far apart as {@code docs/redlock.md}
 * says: no watched hold may suffer from it.
 */
final class RollingRestarts {

    private static final long MILLI = 1_000_000;
    /** Servers tell their uptime in whole seconds. */
    private static final long UPTIME_NANOS = 1_000 * MILLI;

    private final World world;
    private final List<SimulatedServer> servers;
    private final Faults faults;
    private final Memory memory;
    private final long longestLeaseNanos;
    private final long periodNanos;
    private final long endNanos;
    private int turn;
    private long latestNanos;

    /**
     * @param periodNanos how often holds are renewed
     * @param endNanos when no server is restarted any more
     */
    RollingRestarts(
            World world,
            List<SimulatedServer> servers,
            Faults faults,
            Memory memory,
            long longestLeaseNanos,
            long periodNanos,
            long endNanos) {
        this.world = world;
        this.servers = servers;
        this.faults = faults;
        this.memory = memory;
        this.longestLeaseNanos = longestLeaseNanos;
        this.periodNanos = periodNanos;
        this.endNanos = endNanos;
    }

    /** Restarts the next server, and all others after it. */
    void next() {
        if (world.nanos() < endNanos) {
            latestNanos = world.nanos();
            SimulatedServer server = servers.get(turn++ % servers.size());
            long awayNanos = faults.restartInTurn(server, memory);
            world.after(awayNanos + apartNanos(), this::next);
        }
    }

    /** When the latest one was restarted. */
    long latestNanos() {
        return latestNanos;
    }

    /** From when one server is back until the next one goes. */
    private long apartNanos() {
        if (memory == Memory.ALL) {
            return periodNanos;
        }
        long leftOutNanos = longestLeaseNanos + longestLeaseNanos / 100 + 2 * MILLI + UPTIME_NANOS + clocksApartNanos();
        return leftOutNanos + periodNanos;
    }

    private long clocksApartNanos() {
        long apartMicros = 0;
        for (SimulatedServer one : servers) {
            for (SimulatedServer other : servers) {
                apartMicros =
                        Math.max(apartMicros, one.keys().micros() - other.keys().micros());
            }
        }
        return 1_000 * apartMicros;
    }
}
