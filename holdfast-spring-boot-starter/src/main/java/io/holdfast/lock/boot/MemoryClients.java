package io.holdfast.lock.boot;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.InMemoryLocks;

/** Clients without a server. Apart, because {@code lock-memory} may be absent. */
final class MemoryClients {

    private MemoryClients() {}

    /** A client of a store of its own, so that contexts which run beside each other have nothing in common. */
    static LockClient connect(ClientOptions options) {
        try {
            return InMemoryLocks.client(options);
        } catch (NoClassDefFoundError absent) {
            throw new HoldfastConfigurationException(
                    "holdfast.memory=true, and lock-memory is not on the class path",
                    "Add io.holdfast:lock-memory, in test scope if it is for tests.",
                    absent);
        }
    }
}
