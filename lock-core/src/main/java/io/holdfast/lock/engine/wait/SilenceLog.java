package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.LogLimit;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.spi.Runtime;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that no messages arrive, and what follows: once, until they do. */
public final class SilenceLog {

    private static final Logger log = LoggerFactory.getLogger(SilenceLog.class);

    private final String node;
    /** A server that allows some channels and not others would have it said again and again. */
    private final LogLimit limit;

    private final AtomicBoolean said = new AtomicBoolean();

    public SilenceLog(String node, Runtime runtime) {
        this.node = node;
        this.limit = new LogLimit(runtime);
    }

    /** Calls that wait for this lock hear nothing. */
    void silent(LockKeys keys) {
        if (!said.get() && said.compareAndSet(false, true) && limit.permits()) {
            log.warn(
                    "{}: no messages arrive about {}: calls that wait for it ask the server every 250 ms to 1 s,"
                            + " and what another client frees may stay free for as long",
                    node,
                    keys.named());
        }
    }

    /** Messages arrive. */
    void heard() {
        if (said.get()) {
            said.set(false);
        }
    }
}
