package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What calls of one client wait for, by key. */
public final class Watches {

    private final ClientFacts facts;
    private final Retries retries;
    private final long nodeTimeoutNanos;
    private final ConcurrentMap<String, Watch> watches = new ConcurrentHashMap<>();

    Watches(ClientFacts facts, Retries retries, long nodeTimeoutNanos) {
        this.facts = facts;
        this.retries = retries;
        this.nodeTimeoutNanos = nodeTimeoutNanos;
    }

    /** Brings a call. */
    public void enter(Watched watched, Await call) {
        Watch watch = watches.computeIfAbsent(watched.key(), absent -> new Watch(facts, this, retries, watched));
        watch.run(() -> {
            if (!call.result().isSettled() && !watch.enter(call)) {
                enter(watched, call);
            }
        });
    }

    /** The caller has given up; its result is abandoned already. */
    public void withdraw(Watched watched, Await call) {
        Watch watch = watches.get(watched.key());
        if (watch != null) {
            watch.run(() -> watch.withdrawn(call));
        }
    }

    /** How long a node of a quorum has to answer a look that others have answered. */
    public long nodeTimeoutNanos() {
        return nodeTimeoutNanos;
    }

    void remove(Watch watch) {
        watches.remove(watch.watched().key(), watch);
    }

    /** For how many latches, signals and elections calls wait, or listen. */
    public int size() {
        return watches.size();
    }

    /** The client is closed: all calls fail. */
    public void close() {
        watches.values().forEach(watch -> watch.run(watch::close));
    }
}
