package io.holdfast.lock.spi.client;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.QuorumOptions;
import io.holdfast.lock.engine.EngineClient;
import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.spi.Script;
import java.util.List;
import java.util.UUID;

/** Makes clients of what a transport has connected. A client closes its backends when it is closed. */
public final class Clients {

    private Clients() {}

    /** Makes a client whose locks one store keeps. */
    public static LockClient over(Backend backend, ClientOptions options) {
        return EngineClient.over(backend, options, newId());
    }

    /**
     * Makes a client whose locks are kept by a majority of several independent stores.
     *
     * @throws IllegalArgumentException if two of the stores are one and the same server
     */
    public static LockClient overQuorum(List<? extends Backend> backends, ClientOptions options, QuorumOptions quorum) {
        return EngineClient.overQuorum(backends, options, quorum, newId());
    }

    /** Every script that a client may run. */
    public static List<Script> scripts() {
        return EngineClient.scripts();
    }

    /**
     * A task that makes a client lose the holds of this name that it has now, as if their leases had run out. For stores that make it
     * happen: they ask all clients first, since the loss of one may give the lock to the next.
     */
    public static Runnable runningOut(LockClient client, String lockName) {
        return ((EngineClient) client).runningOut(lockName);
    }

    /**
     * Names of locks of which each primary of a cluster keeps one, as the cluster stands: to look at all of them asks every
     * primary. None where one server keeps all locks, or a majority does.
     */
    public static List<String> probes(LockClient client) {
        return client instanceof EngineClient ours ? ours.probes() : List.of();
    }

    /** True if a store's key may be that of a lock of this name, under any key scheme and prefix. */
    public static boolean isKeyOf(String key, String lockName) {
        return EngineClient.isKeyOf(key, lockName);
    }

    /** Unique among all clients that ever share a lock. */
    private static String newId() {
        return UUID.randomUUID().toString();
    }
}
