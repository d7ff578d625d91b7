package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Replication;
import io.holdfast.lock.spi.ServerRun;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Replicas that confirm what a server has granted, or do not, by chance and after a while; never for another process than
 * the one that is there.
 */
final class SimulatedReplication implements Replication {

    private static final long QUICK_NANOS = 2_000_000;
    private static final int FAILING_PERCENT = 8;
    private static final int SLOW_PERCENT = 20;
    /** A client comes to its answers and to its timers a little late. */
    private static final long SLACK_NANOS = 10_000_000;

    private final SimulatedClient client;
    private final SimulatedServer server;
    private final int replicas;
    private final long timeoutNanos;
    private final Set<Listener> waiting = new LinkedHashSet<>();

    SimulatedReplication(SimulatedClient client, SimulatedServer server, int replicas, long timeoutNanos) {
        this.client = client;
        this.server = server;
        this.replicas = replicas;
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    public void await(int slot, ServerRun run, Listener listener) {
        boolean fails = client.network.percent(FAILING_PERCENT);
        boolean isSlow = fails || client.network.percent(SLOW_PERCENT);
        waiting.add(listener);
        client.world.after(client.network.below(isSlow ? timeoutNanos : QUICK_NANOS), client, () -> {
            if (waiting.remove(listener)) {
                answer(run, listener, fails);
            }
        });
    }

    private void answer(ServerRun run, Listener listener, boolean fails) {
        if (fails) {
            listener.failed(new Fault(
                    Fault.Kind.NOREPLICAS,
                    false,
                    server.name,
                    replicas - 1 + " of " + replicas + " replicas confirmed within " + timeoutNanos / 1_000_000
                            + " ms"));
        } else if (!server.runId().equals(run.id())) {
            listener.failed(new Fault(Fault.Kind.NOREPLICAS, false, server.name, "another process was asked"));
        } else {
            listener.confirmed();
        }
    }

    @Override
    public long longestNanos() {
        return timeoutNanos + SLACK_NANOS;
    }

    /** The client is closed. */
    void close() {
        List<Listener> open = List.copyOf(waiting);
        waiting.clear();
        for (Listener listener : open) {
            listener.failed(new Fault(Fault.Kind.CLOSED, false, server.name, "the client is closed"));
        }
    }
}
