package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;

/**
 * A store of locks in this JVM's memory: for unit tests and development, where there is no server. Its clients have the API,
 * the engine and the tokens of any other; no lock of theirs excludes another process.
 *
 * <pre>{@code
 * try (LockClient client = InMemoryLocks.client()) {
 *     InMemoryLocks locks = InMemoryLocks.of(client);
 *     LockHold hold = client.getLock("report").acquire();
 *     locks.expire("report");
 *     assertThat(hold.state()).isEqualTo(HoldState.LOST);
 * }
 * }</pre>
 *
 * <p>A test makes happen what a server seldom does: {@link #expire}, {@link #fail}, {@link #advance}. Each has taken effect when it
 * returns; listeners and callbacks hear of it soon after, on threads of their own.
 *
 * <p>Threads are there while a client is open. Legal on any thread.
 */
public final class InMemoryLocks implements AutoCloseable {

    /** Longer than any lease. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private static final Map<LockClient, InMemoryLocks> STORES = Collections.synchronizedMap(new WeakHashMap<>());

    private final MemoryStore store;

    InMemoryLocks(MemoryStore store) {
        this.store = store;
    }

    /** A client of a store of its own, with all defaults. */
    public static LockClient client() {
        return client(ClientOptions.defaults());
    }

    /** A client of a store of its own. */
    public static LockClient client(ClientOptions options) {
        return store().newClient(options);
    }

    /** A new store, which no address leads to. */
    public static InMemoryLocks store() {
        return NamedStores.unnamed();
    }

    /**
     * The store of a client.
     *
     * @throws IllegalArgumentException if its locks are not in memory, or it is not the client itself but a wrapper
     */
    public static InMemoryLocks of(LockClient client) {
        InMemoryLocks locks = STORES.get(Objects.requireNonNull(client, "client"));
        if (locks == null) {
            throw new IllegalArgumentException("client: " + Printable.of(client)
                    + " (expected: one that InMemoryLocks has made, or LockClient.connect of a 'memory:' address)");
        }
        return locks;
    }

    /** A new client of this store, with all defaults. */
    public LockClient newClient() {
        return newClient(ClientOptions.defaults());
    }

    /**
     * A new client of this store. What the options say of servers has no meaning here: addresses, credentials, TLS, timeouts of
     * connections.
     *
     * @throws UnsupportedOperationException if they ask for replicas or Sentinels
     */
    public LockClient newClient(ClientOptions options) {
        LockClient client = store.newClient(Objects.requireNonNull(options, "options"));
        STORES.put(client, this);
        return client;
    }

    /**
     * Ends what is held of the locks of this name, as if the lease had run out at the store: under every key scheme, prefix and
     * kind. Holders have lost them, with {@code LEASE_EXPIRED} for a fixed lease and {@code NOT_RENEWED} for one that the client
     * renews; callers that wait may have the lock.
     *
     * @return whether any was held
     */
    public boolean expire(String lockName) {
        return store.expire(Objects.requireNonNull(lockName, "lockName"));
    }

    /**
     * Makes the next call on the lock of this name end with a {@link io.holdfast.lock.LockUnavailableException}, whichever client
     * makes it and whether it takes, releases or inspects. The call has no effect at the store. Renewals go on. Told twice, the
     * next two calls fail.
     */
    public void fail(String lockName) {
        store.fail(Objects.requireNonNull(lockName, "lockName"));
    }

    /**
     * Adds to the time of this store and its clients, as if so much had passed with nothing but the clients at work: what is due
     * happens in its order. So a fixed lease that is shorter runs out, a wait that is shorter ends, and a lock that its client
     * renews is still held.
     *
     * @throws IllegalArgumentException if it is negative, or longer than ten years
     * @throws IllegalStateException on a thread of the store's own
     */
    public void advance(Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "time: " + Durations.of(time) + " (expected: 0 s to " + Durations.of(LONGEST) + ")");
        }
        store.advance(time.toNanos());
    }

    /** Closes the clients of this store. New ones find what was not released. */
    @Override
    public void close() {
        store.clients().forEach(LockClient::close);
    }

    MemoryStore data() {
        return store;
    }

    @Override
    public String toString() {
        return "InMemoryLocks{" + store + '}';
    }
}
