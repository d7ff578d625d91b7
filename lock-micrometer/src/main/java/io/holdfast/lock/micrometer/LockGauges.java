package io.holdfast.lock.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How many holds and waiting calls there are: the sum over all clients that are watched in one registry with one tag. */
final class LockGauges {

    /**
     * What a look has found, by the value of the tag.
     *
     * @param holds how many holds
     * @param waiters how many waiting calls
     */
    private record Counts(Map<String, Integer> holds, Map<String, Integer> waiters) {

        int size() {
            return sum(holds) + sum(waiters);
        }

        private static int sum(Map<String, Integer> counts) {
            return counts.values().stream().mapToInt(count -> count).sum();
        }
    }

    private final MeterRegistry registry;
    private final LockNames names;
    /** As long as one gauge is registered, all that share the registry find each other. */
    private final RegistryGauges all;

    private final WatchedClients clients = new WatchedClients();
    private final Look<Counts> look = new Look<>(this::count, Counts::size);
    private final Set<String> registered = ConcurrentHashMap.newKeySet();

    LockGauges(MeterRegistry registry, LockNames names, RegistryGauges all) {
        this.registry = registry;
        this.names = names;
        this.all = all;
        names.known().forEach(this::known);
    }

    RegistryGauges all() {
        return all;
    }

    LockNames names() {
        return names;
    }

    WatchedClients clients() {
        return clients;
    }

    /** Has gauges for a value of the tag. */
    void known(String value) {
        if (registered.add(value)) {
            Gauge.builder(Names.ACTIVE, this, gauges -> gauges.look.now().holds.getOrDefault(value, 0))
                    .description("Locks that are held")
                    .tags(names.tags(value))
                    .strongReference(true)
                    .register(registry);
            Gauge.builder(
                            Names.WAITERS,
                            this,
                            gauges -> gauges.look.now().waiters.getOrDefault(value, 0))
                    .description("Calls that wait for a lock")
                    .tags(names.tags(value))
                    .strongReference(true)
                    .register(registry);
        }
    }

    /** Has gauges for all that is held or wanted now. */
    void refresh() {
        count();
    }

    private Counts count() {
        Counts counts = new Counts(new HashMap<>(), new HashMap<>());
        clients.forEach(client -> {
            client.holds().forEach(hold -> count(counts.holds, hold.name()));
            client.waiters().forEach(call -> count(counts.waiters, call.name()));
        });
        return counts;
    }

    private void count(Map<String, Integer> counts, String lockName) {
        String value = names.valueOf(lockName);
        // Of a lock whose events other listeners hear, or of which nothing was told yet.
        known(value);
        counts.merge(value, 1, Integer::sum);
    }
}
