package io.holdfast.lock.micrometer;

import io.holdfast.lock.ConnectionInfo;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many connections there are and what waits on them: the sum over all clients that are watched in one registry. Gauges come
 * with the first connection to a server for a purpose, and leave with the last.
 */
final class ConnectionGauges {

    /**
     * What is known of the connections of one key.
     *
     * @param up how many are ready
     * @param queued how many calls wait to be sent on them
     */
    private record Counts(int up, int queued) {

        static final Counts NONE = new Counts(0, 0);

        Counts and(Counts other) {
            return new Counts(up + other.up, queued + other.queued);
        }

        static Counts of(ConnectionInfo connection) {
            return new Counts(connection.up() ? 1 : 0, connection.queued());
        }
    }

    private final MeterRegistry registry;
    private final TagValues nodes = new TagValues(Names.NODE);
    private final ClientMeters counters;
    private final WatchedClients clients = new WatchedClients();
    private final Look<Map<ClientMeters.Key, Counts>> look = new Look<>(this::count, Map::size);
    /** Changes by one thread at a time. */
    private final Map<ClientMeters.Key, List<Meter>> registered = new HashMap<>();

    ConnectionGauges(MeterRegistry registry) {
        this.registry = registry;
        this.counters = new ClientMeters(registry, nodes);
    }

    ClientMeters counters() {
        return counters;
    }

    WatchedClients clients() {
        return clients;
    }

    /** Registers what is new, and removes what is gone. */
    void refresh() {
        count();
    }

    private Map<ClientMeters.Key, Counts> count() {
        Map<ClientMeters.Key, Counts> counts = new HashMap<>();
        clients.forEach(client -> client.connections()
                .forEach(connection ->
                        counts.merge(ClientMeters.Key.of(connection, nodes), Counts.of(connection), Counts::and)));
        register(counts.keySet());
        return counts;
    }

    private synchronized void register(Set<ClientMeters.Key> present) {
        for (ClientMeters.Key key : present) {
            registered.computeIfAbsent(key, this::gauges);
        }
        registered.entrySet().removeIf(entry -> {
            boolean gone = !present.contains(entry.getKey());
            if (gone) {
                entry.getValue().forEach(registry::remove);
            }
            return gone;
        });
    }

    private List<Meter> gauges(ClientMeters.Key key) {
        counters.known(key);
        return List.of(
                Gauge.builder(Names.CONNECTIONS, this, gauges -> gauges.at(key).up)
                        .description("Connections that are ready")
                        .tags(key.tags())
                        .strongReference(true)
                        .register(registry),
                Gauge.builder(Names.QUEUE, this, gauges -> gauges.at(key).queued)
                        .description("Calls that wait to be sent")
                        .tags(key.tags())
                        .strongReference(true)
                        .register(registry));
    }

    private Counts at(ClientMeters.Key key) {
        return look.now().getOrDefault(key, Counts.NONE);
    }
}
