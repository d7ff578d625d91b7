package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.ConnectionListener;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection.Use;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the links of one backend tell of their connections. Links may be on several event loops; each listener hears of what is
 * up when it comes, and of everything after that.
 */
public final class ConnectionNews {

    private static final Logger log = LoggerFactory.getLogger(ConnectionNews.class);

    private record Connected(Use use, String node) {}

    private final List<ConnectionListener> listeners = new ArrayList<>();
    /** What is up, by the one that keeps it so. */
    private final Map<Object, Connected> up = new LinkedHashMap<>();

    /** From any thread. */
    public synchronized void listen(ConnectionListener listener) {
        listeners.add(listener);
        up.values().forEach(each -> tell(listener, told -> told.up(each.use, each.node, null)));
    }

    /**
     * A connection is ready.
     *
     * @param link whose it is
     * @param before the server to which it led before, if that was another one; else null
     */
    synchronized void up(Object link, Use use, String node, @Nullable String before) {
        up.put(link, new Connected(use, node));
        tellAll(told -> told.up(use, node, before));
    }

    synchronized void down(Object link, Use use, String node, Fault fault) {
        up.remove(link);
        tellAll(told -> told.down(use, node, fault));
    }

    synchronized void unreachable(Use use, String node, Fault fault) {
        tellAll(told -> told.unreachable(use, node, fault));
    }

    private void tellAll(Consumer<ConnectionListener> telling) {
        listeners.forEach(listener -> tell(listener, telling));
    }

    private static void tell(ConnectionListener listener, Consumer<ConnectionListener> telling) {
        try {
            telling.accept(listener);
        } catch (RuntimeException | Error bug) {
            log.error("A listener of connections failed", bug);
        }
    }
}
