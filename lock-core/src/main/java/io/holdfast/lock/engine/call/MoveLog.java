package io.holdfast.lock.engine.call;

import io.holdfast.lock.engine.key.Named;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.text.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that calls wait for the end of a move of their slot, which may have been left for ever: once they have waited for a command
 * timeout, and of each slot once a minute at most.
 */
public final class MoveLog {

    private static final Logger log = LoggerFactory.getLogger(MoveLog.class);

    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Of so many slots the log tells in a minute. */
    private static final int MOST_SLOTS = 64;

    private final Runtime runtime;
    private final long patienceNanos;
    /** When a slot was told of, guarded by this. */
    private final Map<Integer, Long> toldNanos = new HashMap<>();

    MoveLog(Runtime runtime, long patienceNanos) {
        this.runtime = runtime;
        this.patienceNanos = patienceNanos;
    }

    /**
     * Calls wait still.
     *
     * @param sinceNanos when they first heard that the slot is being moved
     * @param node what says so
     */
    public void waits(Named what, int slot, long sinceNanos, String node) {
        long now = runtime.nanos();
        long waitedNanos = now - sinceNanos;
        if (permits(slot, waitedNanos, now)) {
            Duration waited = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(waitedNanos));
            Logging.attempt(() -> log.warn(
                    "{}: its slot {} is being moved, as {} says: calls that need all of its keys have waited {} for the end of"
                            + " that, and go on waiting (redis-cli --cluster check names a move that was left)",
                    what,
                    slot,
                    node,
                    Durations.of(waited)));
        }
    }

    /** Whether it is said now. */
    synchronized boolean permits(int slot, long waitedNanos, long now) {
        Long told = toldNanos.get(slot);
        if (waitedNanos < patienceNanos || (told != null && now - told < QUIET_NANOS)) {
            return false;
        }
        if (toldNanos.size() >= MOST_SLOTS) {
            toldNanos.values().removeIf(each -> now - each >= QUIET_NANOS);
        }
        if (toldNanos.size() >= MOST_SLOTS) {
            return false;
        }
        toldNanos.put(slot, now);
        return true;
    }
}
