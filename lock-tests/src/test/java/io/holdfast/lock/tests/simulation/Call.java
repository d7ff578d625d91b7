package io.holdfast.lock.tests.simulation;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An operation in progress. */
final class Call {

    static final long UNLIMITED = Long.MAX_VALUE;
    /** The lease of a hold that the watchdog renews. */
    static final long WATCHDOG = -1;

    private static final long CLOCK_GRAIN_NANOS = 10;

    final SimulatedClient client;
    final int lock;
    /** The owner, so far as it is known before there is a hold. */
    final String owner;

    final String what;
    final long startNanos;
    final long pausedBefore;
    /** How long it may wait for the lock; negative for a call that does not want the lock. */
    final long waitNanos;
    /** How long it may take in all. */
    long boundNanos;

    @Nullable
    CompletableFuture<?> future;

    /** What the chronicle says of it; null if it changes nothing. */
    Chronicle.@Nullable Entry entry;

    /** For how long it asks to have the lock from now on; 0 if that is told by the hold itself. */
    private long leaseMillis;
    /** Whether what it asks for is renewed for as long as it is held; only for threads. */
    boolean watched;

    boolean cancelled;
    boolean over;
    /** Whether the lock was free whenever anybody looked since this call began. */
    boolean freeAllTheWhile;
    /** Whether anybody looked at all. */
    boolean seen;
    /** When its client had no way yet to know that the lock is free, so far as anybody looked. */
    long unknowingUntilNanos;
    /** Whether something was wrong since this call began. */
    boolean disturbed;
    /** Whether no other call or hold of its client stood before it. */
    boolean alone = true;
    /** Whether another call of its client for the same lock has come since. */
    boolean joined;
    /** Whether its owner did anything else with the same lock meanwhile. */
    boolean crowded;
    /** How often in a row it was found waiting while its own owner had the lock. */
    int looksAtOwnHold;

    Call(SimulatedClient client, int lock, String owner, String what, long waitNanos, long boundNanos) {
        this.client = client;
        this.lock = lock;
        this.owner = owner;
        this.what = what;
        this.startNanos = client.world.nanos();
        this.pausedBefore = client.pausedNanos();
        this.waitNanos = waitNanos;
        this.boundNanos = boundNanos;
    }

    /** How long its client has been running since it began. */
    long runningNanos() {
        return client.world.nanos() - startNanos - (client.pausedNanos() - pausedBefore);
    }

    /** For a lease of so many milliseconds, or {@link #WATCHDOG}. */
    void asksFor(long millis) {
        watched = millis == WATCHDOG;
        leaseMillis = millis == WATCHDOG
                ? client.options.lockOptions().watchdogLease().toMillis()
                : millis;
    }

    /** How long after it was asked for a hold is surely valid, if it was granted. */
    long surelyValidNanos() {
        long leaseNanos = leaseMillis * 1_000_000;
        return client.clock.worldNanos(Math.max(0, leaseNanos - leaseNanos / 100 - 2_000_000)) - CLOCK_GRAIN_NANOS;
    }

    boolean wantsLock() {
        return waitNanos >= 0;
    }

    @Override
    public String toString() {
        return client.name + " " + what;
    }
}
