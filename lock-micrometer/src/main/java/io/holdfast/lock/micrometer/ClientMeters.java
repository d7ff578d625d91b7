package io.holdfast.lock.micrometer;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionInfo;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.FailureReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters of connections, by the server to which they lead and what they are for. */
final class ClientMeters {

    /**
     * A tag value for each server and each purpose.
     *
     * @param node the server; {@code other} beyond a hundred of them
     */
    record Key(String node, ConnectionPurpose purpose) {

        static Key of(ConnectionInfo connection, TagValues nodes) {
            return new Key(nodes.bounded(connection.node()), connection.purpose());
        }

        Tags tags() {
            return Tags.of(Names.NODE, node, Names.PURPOSE, Words.of(purpose));
        }
    }

    /** The counters of one key, and how many of its connections were lost and not made again. */
    private static final class Counters {

        private final Counter reconnects;
        private final Counter failovers;
        private int missing;

        Counters(MeterRegistry registry, Tags tags) {
            this.reconnects = Counter.builder(Names.RECONNECTS)
                    .description("Connections that were lost and made again")
                    .tags(tags)
                    .register(registry);
            this.failovers = Counter.builder(Names.FAILOVERS)
                    .description("Connections that were made again to another server than before")
                    .tags(tags)
                    .register(registry);
        }
    }

    private final MeterRegistry registry;
    private final TagValues nodes;
    private final Map<Key, Counters> counters = new HashMap<>();

    ClientMeters(MeterRegistry registry, TagValues nodes) {
        this.registry = registry;
        this.nodes = nodes;
    }

    /** Has counters for a connection that is there, with zero. */
    synchronized void known(Key key) {
        countersOf(key);
    }

    synchronized void told(ConnectionEvent event) {
        Key key = new Key(nodes.bounded(event.node()), event.purpose());
        Counters at = countersOf(key);
        switch (event.change()) {
            case DOWN -> {
                // A client that is closed makes none again.
                if (event.failureReason().orElse(null) != FailureReason.CLIENT_CLOSED) {
                    at.missing++;
                }
            }
            case UP -> {
                if (at.missing > 0) {
                    at.missing--;
                    at.reconnects.increment();
                }
            }
            case FAILED_OVER -> {
                Counters left = at.missing > 0 ? at : leftBehind(key.purpose());
                if (left != null) {
                    left.missing--;
                }
                at.reconnects.increment();
                at.failovers.increment();
            }
            case UNREACHABLE -> {}
        }
    }

    /** Where the connection was lost that leads elsewhere now. */
    private @Nullable Counters leftBehind(ConnectionPurpose purpose) {
        return counters.entrySet().stream()
                .filter(entry -> entry.getKey().purpose() == purpose && entry.getValue().missing > 0)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private Counters countersOf(Key key) {
        return counters.computeIfAbsent(key, absent -> new Counters(registry, absent.tags()));
    }
}
