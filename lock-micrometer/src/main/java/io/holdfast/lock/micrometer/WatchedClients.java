package io.holdfast.lock.micrometer;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clients that gauges look at. None is kept alive by that, and a closed one is forgotten at the next look. */
final class WatchedClients {

    private static final Logger log = LoggerFactory.getLogger(WatchedClients.class);

    private final List<WeakReference<LockClient>> clients = new CopyOnWriteArrayList<>();

    synchronized void add(LockClient client) {
        if (clients.stream().noneMatch(reference -> reference.get() == client)) {
            clients.add(new WeakReference<>(client));
        }
    }

    synchronized void remove(LockClient client) {
        clients.removeIf(reference -> reference.get() == client);
    }

    /** Does it with each client that is open. */
    void forEach(Consumer<LockClient> look) {
        clients.removeIf(reference -> {
            LockClient client = reference.get();
            return client == null || client.isClosed();
        });
        for (WeakReference<LockClient> reference : clients) {
            LockClient client = reference.get();
            if (client != null) {
                look(client, look);
            }
        }
    }

    private static void look(LockClient client, Consumer<LockClient> look) {
        try {
            look.accept(client);
        } catch (LockClientClosedException closed) {
            log.debug("client '{}' was closed while meters looked at it", client.id(), closed);
        }
    }
}
