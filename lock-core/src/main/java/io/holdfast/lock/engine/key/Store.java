package io.holdfast.lock.engine.key;

import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.text.Printable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One of the stores that keep a lock: the only one, or one of a quorum's independent nodes. */
public final class Store {

    /** For how long a refusal of the keys of turns is believed: the right may be granted at any time. */
    private static final long REFUSAL_LASTS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int index;
    private final Backend backend;
    private final String node;
    private final AtomicInteger disconnections = new AtomicInteger();
    private final AtomicBoolean refusesTurns = new AtomicBoolean();
    /** When the keys of turns were refused last. */
    private volatile long refusedNanos;

    /** When a call was denied a place beside a queue last; null if none was. */
    private volatile @Nullable Long deniedNanos;

    private volatile boolean up;

    /** @param index its place among the stores of the engine */
    public Store(int index, Backend backend) {
        this.index = index;
        this.backend = backend;
        this.node = Printable.of(backend.describe());
    }

    public int index() {
        return index;
    }

    public Backend backend() {
        return backend;
    }

    public String node() {
        return node;
    }

    /** Whether there is a connection for calls. */
    public boolean isUp() {
        return up;
    }

    /** A connection for calls is there, or is gone. */
    public void isUp(boolean isUp) {
        up = isUp;
        if (!isUp) {
            disconnections.incrementAndGet();
        }
    }

    /** How often a connection for calls has gone. */
    public int disconnections() {
        return disconnections.get();
    }

    /** Whether its user may not use the keys in which turns are kept, as was found out lately. */
    public boolean isWithoutTurns() {
        return refusesTurns.get() && backend.runtime().nanos() - refusedNanos < REFUSAL_LASTS_NANOS;
    }

    /**
     * Its user may not use the keys in which turns are kept.
     *
     * @return whether that was never known before
     */
    public boolean doWithoutTurns() {
        refusedNanos = backend.runtime().nanos();
        return refusesTurns.compareAndSet(false, true);
    }

    /** Whether plain calls take no place in its queues, as was found out lately: its user may not, or its memory is full. */
    public boolean deniesPlaces() {
        Long denied = deniedNanos;
        return denied != null && backend.runtime().nanos() - denied < REFUSAL_LASTS_NANOS;
    }

    /** A plain call was denied a place in a queue. */
    public void deniedPlace() {
        deniedNanos = backend.runtime().nanos();
    }

    @Override
    public String toString() {
        return node();
    }
}
