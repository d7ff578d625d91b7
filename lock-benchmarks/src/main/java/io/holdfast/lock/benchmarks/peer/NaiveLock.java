package io.holdfast.lock.benchmarks.peer;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a lock amounts to when the scripts are sent by hand: a key, a channel, a new field for each hold, and nothing
 * else. No waiting, no watchdog, no time-outs, no losses: a floor to measure against, not a lock to use.
 */
abstract class NaiveLock implements PeerLock {

    static final String LEASE = Long.toString(LEASE_MILLIS);
    static final String KEEPS_TOKEN = "1";

    private static final AtomicLong OWNERS = new AtomicLong();

    final String key;
    final String clock;
    final String channel;
    private final String fieldPrefix;
    private long holds;
    String field = "";

    NaiveLock(String name, PeerKind kind) {
        String base = kind.id() + ":{" + name + '}';
        this.key = base;
        this.channel = base + ":free";
        this.clock = kind.id() + ":token:{" + name + '}';
        this.fieldPrefix = "00000000-0000-0000-0000-000000000000:" + OWNERS.incrementAndGet() + ':';
    }

    void nextField() {
        field = fieldPrefix + ++holds;
    }

    /** A refusal means that a workload gave this peer something to do that it can't. */
    static void require(boolean granted, PeerLock lock) {
        if (!granted) {
            throw new IllegalStateException(lock + " is held by somebody else (expected: a lock of its own)");
        }
    }

    @Override
    public void lock() {
        require(tryLock(), this);
    }

    @Override
    public String toString() {
        return key;
    }
}
