package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.ServerRun;
import io.holdfast.lock.spi.client.Clients;
import io.holdfast.lock.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One store: its data, its time, and its clients. The data outlives the clients; threads are there while any client is open.
 *
 * <p>One thread at a time is inside the data, and does nothing there that waits.
 */
final class MemoryStore {

    private static final int ID_DIGITS = 40;
    private static final String PERMITS = ":permits";
    private static final Set<String> ASKING = Set.of("acquire", "turn-acquire", "queue-join", "permit-join");
    private static final Set<String> RENEWING = Set.of("renew", "keep", "permit-keep");

    private final String address;
    private final Runnable whenUnused;
    private final StoreClock clock = new StoreClock();
    private final ServerRun run;
    /** Keeps one advance from another. */
    private final ReentrantLock advancing = new ReentrantLock();

    // What follows is guarded by this.

    private final Keyspace keys;
    /** The open clients; null for one that is being made. */
    private final Map<MemoryBackend, @Nullable LockClient> clients = new LinkedHashMap<>();
    /** Locks whose next call is to fail, as often as they were told. */
    private final List<String> failing = new ArrayList<>();

    private @Nullable MemoryRuntime runtime;
    private long asked;

    /** @param whenUnused runs when the last client was closed, on the thread that closes it */
    MemoryStore(String address, Runnable whenUnused) {
        this.address = address;
        this.whenUnused = whenUnused;
        String id =
                (UUID.randomUUID() + "" + UUID.randomUUID()).replace("-", "").substring(0, ID_DIGITS);
        this.keys = new Keyspace(clock::timeMicros, id);
        this.run = new ServerRun(id, clock.nanos());
    }

    String address() {
        return address;
    }

    ServerRun run() {
        return run;
    }

    // --- clients ---

    LockClient newClient(ClientOptions options) {
        MemoryBackend backend = enter();
        try {
            LockClient client = Clients.over(backend, options);
            synchronized (this) {
                clients.replace(backend, client);
            }
            return client;
        } catch (RuntimeException | Error refused) {
            backend.close(0);
            throw refused;
        }
    }

    private synchronized MemoryBackend enter() {
        if (runtime == null) {
            runtime = new MemoryRuntime(clock);
        }
        MemoryBackend backend = new MemoryBackend(this, runtime);
        clients.put(backend, null);
        return backend;
    }

    /** A client is closed; the stage completes when nothing of it is left. */
    CompletionStage<Void> left(MemoryBackend backend) {
        MemoryRuntime ending = null;
        synchronized (this) {
            clients.remove(backend);
            keys.unsubscribeAll(backend);
            if (clients.isEmpty()) {
                ending = runtime;
                runtime = null;
            }
        }
        if (ending == null) {
            return CompletableFuture.completedFuture(null);
        }
        whenUnused.run();
        return ending.close();
    }

    /** Runs code of users on a thread of the clients, of which one is open. */
    synchronized void runCallback(Runnable callback) {
        Objects.requireNonNull(runtime, "runtime").callbacks().execute(callback);
    }

    synchronized boolean isUnused() {
        return clients.isEmpty();
    }

    synchronized List<LockClient> clients() {
        List<LockClient> open = new ArrayList<>();
        clients.forEach((backend, client) -> {
            if (client != null) {
                open.add(client);
            }
        });
        return open;
    }

    // --- data ---

    /** Runs a script. */
    synchronized MemoryReply answer(String script, Words words) {
        asked += ASKING.contains(script) ? 1 : 0;
        failAsTold(script, words);
        return StoreScripts.run(script, keys, words);
    }

    /** A renewal is no call on a lock, and other locks are in it. */
    private void failAsTold(String script, Words words) {
        if (failing.isEmpty() || RENEWING.contains(script)) {
            return;
        }
        for (String key : words.keys) {
            String text = MemoryReply.utf8(key);
            String lock = text.endsWith(PERMITS) ? text.substring(0, text.length() - PERMITS.length()) : text;
            Optional<String> told =
                    failing.stream().filter(name -> Clients.isKeyOf(lock, name)).findFirst();
            if (told.isPresent()) {
                failing.remove(told.get());
                throw Refusal.asTold();
            }
        }
    }

    /** How often clients have asked for a lock. */
    synchronized long asked() {
        return asked;
    }

    /** Changes the data. */
    synchronized void change(Consumer<Keyspace> work) {
        work.accept(keys);
    }

    /** Asks something of the data, or changes it. */
    synchronized <T extends @Nullable Object> T inside(Function<Keyspace, T> work) {
        return work.apply(keys);
    }

    // --- what a test makes happen ---

    /**
     * The clients hear of it before the data changes: else a renewal could find the change first, and call it by another reason.
     * What is taken meanwhile stays.
     */
    boolean expire(String name) {
        Map<String, List<String>> held = fields(name);
        List<Runnable> losses = clients().stream()
                .map(client -> Clients.runningOut(client, name))
                .toList();
        losses.forEach(Runnable::run);
        change(data -> held.forEach((key, fields) -> {
            if (data.isSorted(key)) {
                fields.forEach(field -> data.zrem(key, field));
            } else if (data.isHash(key) && fields.stream().anyMatch(field -> data.hexists(key, field))) {
                data.del(key);
            }
            SearchScripts.tellWaiters(data, key);
        }));
        return !held.isEmpty();
    }

    /** The holders of the locks of a name, and its permits that are taken, by key. */
    private Map<String, List<String>> fields(String name) {
        return inside(data -> {
            Map<String, List<String>> fields = new LinkedHashMap<>();
            data.keys(key -> isOf(name, data, key))
                    .forEach(key -> fields.put(
                            key,
                            data.isHash(key) ? LockScripts.holders(data, key) : data.zrange(key, Integer.MAX_VALUE)));
            return fields;
        });
    }

    private static boolean isOf(String name, Keyspace data, String key) {
        String text = MemoryReply.utf8(key);
        return data.isSorted(key)
                ? text.endsWith(PERMITS) && Clients.isKeyOf(text.substring(0, text.length() - PERMITS.length()), name)
                : data.isHash(key) && Clients.isKeyOf(text, name);
    }

    synchronized void fail(String name) {
        failing.add(name);
    }

    void advance(long nanos) {
        // Before it waits for another caller, which waits for this very thread.
        StoreThread.refuseOwn("advance");
        advancing.lock();
        try {
            MemoryRuntime open;
            synchronized (this) {
                open = runtime;
                if (open == null) {
                    clock.add(nanos);
                }
            }
            if (open != null) {
                open.advance(nanos);
            }
        } finally {
            advancing.unlock();
        }
    }

    @Override
    public String toString() {
        return Printable.of(address);
    }
}
