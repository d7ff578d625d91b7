package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection.Use;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What one link tells of its connections, to listeners and to the log: there a loss at WARN, the return at INFO, and each at most
 * once in a while, so that a server that comes and goes does not fill the disk. What is left out there is still said at DEBUG.
 */
final class LinkReport {

    private static final Logger log = LoggerFactory.getLogger(Link.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LONGEST_QUIET_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final ConnectionSettings settings;
    private final Runtime runtime;
    private final Use use;
    private final String purpose;

    private long quietNanos = QUIET_NANOS;
    private boolean warned;
    private boolean outage;
    private long lastWarningNanos;
    private boolean toldOfEnd;
    private long lastEndNanos;

    /** The server of the latest connection: as the client calls it, where it is, and which process. */
    private String node;

    private @Nullable SocketAddress address;
    private String runId = "";

    LinkReport(ConnectionSettings settings, Runtime runtime, Use use) {
        this.settings = settings;
        this.runtime = runtime;
        this.use = use;
        this.node = settings.node();
        this.purpose = switch (use) {
            case COMMANDS -> "commands";
            case MESSAGES -> "messages";
            case REPLICAS -> "replicas";
            case SENTINEL -> "the word of a Sentinel";
        };
    }

    void ready(ServerIdentity identity, SocketAddress now) {
        if (outage) {
            log.info("Reconnected to {} for {}", settings.node(), purpose);
            outage = false;
        } else {
            log.debug("Connected to {} for {}, run id {}", settings.node(), purpose, Printable.of(identity.runId()));
        }
        String name = settings.at(now).node();
        String before = isAnother(identity, now) ? name.equals(node) ? Printable.of(address) : node : null;
        node = name;
        address = now;
        runId = identity.runId();
        settings.news().up(this, use, node, before);
    }

    /** Another process at another place; where no process may be known, another of those that the address names. */
    private boolean isAnother(ServerIdentity identity, SocketAddress now) {
        if (address == null || address.equals(now)) {
            return false;
        }
        boolean areKnown = !runId.isEmpty() && !identity.runId().isEmpty();
        return areKnown
                ? !runId.equals(identity.runId())
                : settings.server().target().isOneOfSeveral();
    }

    void lost(Fault fault) {
        settings.news().down(this, use, node, fault);
    }

    void failed(Fault fault) {
        settings.news().unreachable(use, fault.node(), fault);
    }

    /** The server has ended the connection, as servers do; the next attempt is made at once. */
    void connectsAgain(Fault fault) {
        long now = runtime.nanos();
        boolean quiet = toldOfEnd && now - lastEndNanos < QUIET_NANOS;
        if (!quiet) {
            toldOfEnd = true;
            lastEndNanos = now;
        }
        log.atLevel(quiet ? Level.DEBUG : Level.INFO)
                .log("{} has ended the connection for {} ({}); connecting again", settings.node(), purpose, fault);
    }

    /** The connection was lost, or could not be made, and the next attempt waits. */
    void waits(Fault fault, long retryNanos) {
        long now = runtime.nanos();
        boolean quiet = warned && now - lastWarningNanos < quietNanos;
        if (!quiet) {
            // A server that is away for days is told of less and less often.
            quietNanos = outage ? Math.min(LONGEST_QUIET_NANOS, 2 * quietNanos) : QUIET_NANOS;
            warned = true;
            outage = true;
            lastWarningNanos = now;
        }
        log.atLevel(quiet ? Level.DEBUG : Level.WARN)
                .log(
                        "No connection to {} for {} ({}); next attempt in {} ms",
                        settings.node(),
                        purpose,
                        fault,
                        TimeUnit.NANOSECONDS.toMillis(retryNanos));
    }
}
