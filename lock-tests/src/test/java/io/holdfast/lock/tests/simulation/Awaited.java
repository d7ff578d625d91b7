package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.engine.kind.Queued;
import org.jspecify.annotations.Nullable;

/** One call that awaits a condition, and what has become of it at the server, by the requests that were executed there. */
final class Awaited {

    /** Where it is. */
    enum Fate {
        /** Its first request has not been executed yet. */
        COMES,
        AWAITS,
        SIGNALLED,
        /** The end of its time has come before any signal. */
        LEFT,
        /** It was given up. */
        PARTED,
        /** Its client was away for too long, or data was lost: it waits for the lock, and wakes without a reason. */
        ADRIFT
    }

    private static final long REMEMBERED_NANOS = 1_000_000 * Queued.PRESENCE_MILLIS;

    final SimulatedClient client;
    final long limitMillis;
    final long startNanos;
    private final String who;

    @Nullable
    String field;

    Fate fate = Fate.COMES;
    long fateNanos;
    /** Whether the server has given it the lock again. */
    boolean granted;

    private boolean over;

    Awaited(SimulatedClient client, String who, long limitMillis) {
        this.client = client;
        this.who = who;
        this.limitMillis = limitMillis;
        this.startNanos = client.world.nanos();
    }

    void becomes(Fate next) {
        fate = next;
        fateNanos = client.world.nanos();
    }

    /** It has returned, or failed, or never will. */
    void ended() {
        over = true;
    }

    boolean isOver() {
        return over || client.isCrashed();
    }

    /** It returns only with the lock, and says whether a signal or the end of its time was first. */
    void returned(World world, boolean signalled) {
        if (!granted) {
            world.fail("ERR", this + ": returns without the lock");
        }
        boolean isForgotten = world.nanos() - fateNanos > REMEMBERED_NANOS;
        boolean wrong = signalled ? fate == Fate.LEFT && !isForgotten : fate == Fate.SIGNALLED;
        if (wrong || (limitMillis < 0 && fate == Fate.LEFT)) {
            world.fail("ERR", this + ": says " + (signalled ? "signalled" : "not signalled"));
        }
    }

    @Override
    public String toString() {
        return who + ", awaiting with a limit of " + limitMillis + " ms, " + fate;
    }
}
