package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.NodeConnection;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Printable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of lost and regained connections: a loss at WARN, the return at INFO, and each at most once in a while,
 * so that a server that comes and goes does not fill the disk. What is left out there is still said at DEBUG.
 */
final class LinkLog {

    private static final Logger log = LoggerFactory.getLogger(Link.class);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LONGEST_QUIET_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Runtime runtime;
    private final String node;
    private final String purpose;

    private long quietNanos = QUIET_NANOS;
    private boolean warned;
    private boolean outage;
    private long lastWarningNanos;
    private boolean toldOfEnd;
    private long lastEndNanos;

    LinkLog(Runtime runtime, String node, NodeConnection.Use use) {
        this.runtime = runtime;
        this.node = node;
        this.purpose = switch (use) {
            case COMMANDS -> "commands";
            case MESSAGES -> "messages";
            case REPLICAS -> "replicas";
            case SENTINEL -> "the word of a Sentinel";
        };
    }

    void connected(String runId) {
        if (outage) {
            log.info("Reconnected to {} for {}", node, purpose);
            outage = false;
        } else {
            log.debug("Connected to {} for {}, run id {}", node, purpose, Printable.of(runId));
        }
    }

    /** The server has ended the connection, as servers do; the next attempt is made at once. */
    void ended(Fault fault) {
        long now = runtime.nanos();
        if (toldOfEnd && now - lastEndNanos < QUIET_NANOS) {
            log.debug("{} has ended the connection for {} ({}); connecting again", node, purpose, fault);
            return;
        }
        toldOfEnd = true;
        lastEndNanos = now;
        log.info("{} has ended the connection for {} ({}); connecting again", node, purpose, fault);
    }

    /** The connection was lost, or could not be made. */
    void lost(Fault fault, long retryNanos) {
        long retryMillis = TimeUnit.NANOSECONDS.toMillis(retryNanos);
        long now = runtime.nanos();
        if (warned && now - lastWarningNanos < quietNanos) {
            log.debug("No connection to {} for {} ({}); next attempt in {} ms", node, purpose, fault, retryMillis);
            return;
        }
        // A server that is away for days is told of less and less often.
        quietNanos = outage ? Math.min(LONGEST_QUIET_NANOS, 2 * quietNanos) : QUIET_NANOS;
        warned = true;
        outage = true;
        lastWarningNanos = now;
        log.warn("No connection to {} for {} ({}); next attempt in {} ms", node, purpose, fault, retryMillis);
    }
}
