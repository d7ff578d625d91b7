package io.holdfast.lock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The gauges of one registry. A registry takes one gauge of a name and its tags, so all that watch clients for it share them: their
 * clients are summed up. The registry keeps them, by its gauges; from here there is no strong way to a registry.
 */
final class RegistryGauges {

    private static final Map<MeterRegistry, WeakReference<RegistryGauges>> ALL = new WeakHashMap<>();

    private final ConnectionGauges connections;
    private final Map<LockNameTag, LockGauges> locks = new ConcurrentHashMap<>();

    private RegistryGauges(MeterRegistry registry) {
        this.connections = new ConnectionGauges(registry);
    }

    static RegistryGauges of(MeterRegistry registry) {
        synchronized (ALL) {
            WeakReference<RegistryGauges> reference = ALL.get(registry);
            RegistryGauges there = reference == null ? null : reference.get();
            if (there == null) {
                there = new RegistryGauges(registry);
                ALL.put(registry, new WeakReference<>(there));
            }
            return there;
        }
    }

    ConnectionGauges connections() {
        return connections;
    }

    LockGauges locks(MeterRegistry registry, LockNameTag tag) {
        return locks.computeIfAbsent(tag, absent -> new LockGauges(registry, new LockNames(absent), this));
    }
}
