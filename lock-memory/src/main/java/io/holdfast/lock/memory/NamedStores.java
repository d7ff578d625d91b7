package io.holdfast.lock.memory;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.text.Printable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** The stores that addresses name. Such a store is there from its first client to its last, and its locks with it. */
final class NamedStores {

    static final String SCHEME = "memory";

    private static final String START = SCHEME + ":";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final AtomicLong UNNAMED = new AtomicLong();

    /** Guarded by this class. */
    private static final Map<String, InMemoryLocks> STORES = new HashMap<>();

    private NamedStores() {}

    /** A store that no address leads to. */
    static InMemoryLocks unnamed() {
        return new InMemoryLocks(new MemoryStore(START + '#' + UNNAMED.incrementAndGet(), () -> {}));
    }

    /** A client of the store that an address names; of a store of its own where it names none. */
    static LockClient connect(String address, ClientOptions options) {
        String name = name(address);
        if (name.isEmpty()) {
            return InMemoryLocks.client(options);
        }
        synchronized (NamedStores.class) {
            InMemoryLocks locks = STORES.computeIfAbsent(
                    name, absent -> new InMemoryLocks(new MemoryStore(START + name, () -> retire(name))));
            return locks.newClient(options);
        }
    }

    private static String name(String address) {
        String name = address.substring(START.length());
        if (!name.isEmpty() && !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "address '" + Printable.of(address)
                            + "': no store in memory (expected: 'memory:', or 'memory:' and 1 to 64 letters, digits, '.', '_' or '-')");
        }
        return name;
    }

    private static synchronized void retire(String name) {
        InMemoryLocks locks = STORES.get(name);
        if (locks != null && locks.data().isUnused()) {
            STORES.remove(name);
        }
    }
}
