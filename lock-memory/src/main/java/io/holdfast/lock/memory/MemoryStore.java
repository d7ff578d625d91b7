package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.script.LuaScripts;
import io.holdfast.lock.memory.script.ScriptArgs;
import io.holdfast.lock.memory.script.ScriptHost;
import io.holdfast.lock.memory.script.ScriptReply;
import io.holdfast.lock.memory.script.StoredData;
import io.holdfast.lock.spi.Script;
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
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;

/**
 * One store: its data, its time, and its clients. The data outlives the clients; threads are there while any client is open.
 *
 * <p>One thread at a time is inside the data, and does nothing there that waits.
 */
final class MemoryStore {

    private static final int ID_DIGITS = 40;
    private static final String PERMITS = ":permits";
    private static final LuaString TOKEN = LuaString.valueOf("token");
    private static final String RELEASED = "0";
    private static final Set<String> ASKING = Set.of("acquire", "turn-acquire", "queue-join", "permit-join");
    private static final Set<String> RENEWING = Set.of("renew", "keep", "permit-keep");

    private final String address;
    private final Runnable whenUnused;
    private final StoreClock clock = new StoreClock();
    private final ServerRun run;
    /** Keeps one advance from another. */
    private final ReentrantLock advancing = new ReentrantLock();

    // What follows is guarded by this.

    private final StoredData keys;
    private final Channels channels = new Channels();
    private final LuaScripts scripts;
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
        this.keys = new StoredData(clock::timeMicros, true);
        this.run = new ServerRun(id, clock.nanos());
        this.scripts = new LuaScripts(new Server(keys, channels, id));
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
            channels.unsubscribeAll(backend);
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
    synchronized ScriptReply answer(Script script, ScriptArgs words) {
        asked += ASKING.contains(script.name()) ? 1 : 0;
        failAsTold(script.name(), words);
        try {
            return scripts.run(script, words.keys(), words.arguments());
        } catch (LuaError error) {
            if (error.getCause() instanceof RuntimeException bug) {
                throw bug;
            }
            throw Refusal.of(error);
        }
    }

    /** A renewal is no call on a lock, and other locks are in it. */
    private void failAsTold(String script, ScriptArgs words) {
        if (failing.isEmpty() || RENEWING.contains(script)) {
            return;
        }
        for (int i = 1; i <= words.keyCount(); i++) {
            String lock = lockOf(words.key(i).tojstring());
            Optional<String> told =
                    failing.stream().filter(name -> Clients.isKeyOf(lock, name)).findFirst();
            if (told.isPresent()) {
                failing.remove(told.get());
                throw Refusal.asTold();
            }
        }
    }

    /** The key of the lock or semaphore that permits are of. */
    private static String lockOf(String key) {
        return key.endsWith(PERMITS) ? key.substring(0, key.length() - PERMITS.length()) : key;
    }

    /** How often clients have asked for a lock. */
    synchronized long asked() {
        return asked;
    }

    /** Changes the data. */
    synchronized void change(Consumer<StoredData> work) {
        work.accept(keys);
    }

    /** Asks something of the data, or changes it. */
    synchronized <T extends @Nullable Object> T inside(Function<StoredData, T> work) {
        return work.apply(keys);
    }

    synchronized void subscribe(LuaString channel, Channels.Subscriber subscriber) {
        channels.subscribe(channel, subscriber);
    }

    synchronized void unsubscribe(LuaString channel, Channels.Subscriber subscriber) {
        channels.unsubscribe(channel, subscriber);
    }

    /** To how many channels any client listens. */
    synchronized int channels() {
        return channels.size();
    }

    /** The store as its scripts find it. */
    private record Server(StoredData keys, Channels channels, String replicationId) implements ScriptHost {

        @Override
        public long publish(LuaString channel, LuaString message) {
            return channels.publish(channel, message.tojstring());
        }

        @Override
        public long listeners(LuaString channel) {
            return channels.listeners(channel);
        }
    }

    // --- what a test makes happen ---

    /**
     * The clients hear of it before the data changes: else a renewal could find the change first, and call it by another reason.
     * What is taken meanwhile stays.
     */
    boolean expire(String name) {
        Map<LuaString, List<LuaString>> held = holders(name);
        List<Runnable> losses = clients().stream()
                .map(client -> Clients.runningOut(client, name))
                .toList();
        losses.forEach(Runnable::run);
        change(data -> held.forEach((key, holders) -> {
            if (isSorted(data, key)) {
                holders.forEach(field -> data.zrem(key, field));
            } else if (isHash(data, key) && holders.stream().anyMatch(field -> data.hexists(key, field))) {
                data.del(key);
            }
            tellWaiters(key.tojstring());
        }));
        return !held.isEmpty();
    }

    /** The holders of the locks of a name, and its permits that are taken, by key. */
    private Map<LuaString, List<LuaString>> holders(String name) {
        return inside(data -> {
            Map<LuaString, List<LuaString>> holders = new LinkedHashMap<>();
            data.keys().stream()
                    .filter(key -> isOf(name, data, key))
                    .forEach(key -> holders.put(
                            key,
                            isSorted(data, key)
                                    ? data.zrange(key, 0, -1)
                                    : data.hkeys(key).stream()
                                            .filter(field -> !field.equals(TOKEN))
                                            .toList()));
            return holders;
        });
    }

    private static boolean isOf(String name, StoredData data, LuaString key) {
        String text = key.tojstring();
        return isSorted(data, key)
                ? text.endsWith(PERMITS) && Clients.isKeyOf(lockOf(text), name)
                : isHash(data, key) && Clients.isKeyOf(text, name);
    }

    private static boolean isSorted(StoredData data, LuaString key) {
        return data.type(key).equals("zset");
    }

    private static boolean isHash(StoredData data, LuaString key) {
        return data.type(key).equals("hash");
    }

    /** Tells the calls that wait for the lock with this key, whichever scheme it is of. */
    private void tellWaiters(String lock) {
        String ofRedisson = "redisson_lock__channel:" + (lock.contains("{") ? lock : "{" + lock + "}");
        channels.publish(LuaString.valueOf(lock + ":free"), RELEASED);
        channels.publish(LuaString.valueOf(ofRedisson), RELEASED);
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
