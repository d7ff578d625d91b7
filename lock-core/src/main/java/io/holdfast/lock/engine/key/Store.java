package io.holdfast.lock.engine.key;

import io.holdfast.lock.spi.Backend;
import io.holdfast.lock.text.Printable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** One of the stores that keep a lock: the only one, or one of a quorum's independent nodes. */
public final class Store {

    private final int index;
    private final Backend backend;
    private final String node;
    private final AtomicInteger disconnections = new AtomicInteger();
    private final AtomicBoolean withoutTurns = new AtomicBoolean();
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

    /** Whether its user may not use the keys in which turns are kept. */
    public boolean isWithoutTurns() {
        return withoutTurns.get();
    }

    /**
     * Its user may not use the keys in which turns are kept.
     *
     * @return whether that was not known before
     */
    public boolean doWithoutTurns() {
        return withoutTurns.compareAndSet(false, true);
    }

    @Override
    public String toString() {
        return node();
    }
}
