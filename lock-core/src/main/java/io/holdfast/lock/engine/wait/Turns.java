package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.step.Outcome;
import io.holdfast.lock.engine.step.Outcome.Others;
import java.util.concurrent.TimeUnit;

/**
 * Whose turn it is among the clients that want one lock, as far as one of them can tell. A turn is a run of hand-overs within one
 * client, and ends with a release. Belongs to the cell's steps, but for what any thread may ask.
 */
public abstract class Turns {

    /** For how long a lock counts as one that is handed over. */
    private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How exact that is: the time of each hand-over would be one thing more that processors pass on. */
    private static final long ABOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** About when the lock was handed over last, or a second before there was anything to hand over. */
    private volatile long handedOverNanos;

    /** @param sinceNanos when this client was granted the lock that it has now */
    Turns(long sinceNanos) {
        this.handedOverNanos = sinceNanos - LATELY_NANOS;
    }

    // --- from any thread ---

    /** Whether the lock has gone from call to call of this client lately. */
    final boolean wasHandedOver(long now) {
        return now - handedOverNanos < LATELY_NANOS;
    }

    /** A thread has let others run for long before it gave the lock back, and no call came. */
    final void hasNoNextCaller(long now) {
        handedOverNanos = now - LATELY_NANOS;
    }

    // --- a turn of this client ---

    /** The lock was granted to this client. */
    abstract void granted(Outcome.Granted granted, long now);

    /** Whether the lock may be handed over once more in this turn. */
    public abstract boolean mayGoOn(long now);

    /** Whether the lock went from call to call of this client already since it was granted to this client. */
    public boolean isRun() {
        return false;
    }

    /** How many tokens the next hand-over by the server puts by; 1 if the lock is not to be handed on from there without asking. */
    public int tokens() {
        return 1;
    }

    /** The lock goes from a hold to a call of this client that waits, by the server or without it. */
    public final void handingOver(long now) {
        if (now - handedOverNanos > ABOUT_NANOS) {
            handedOverNanos = now;
        }
    }

    /** The lock was handed on without asking the server. */
    public void handedOn() {}

    /** The server has handed the lock over, and says who else wants it. */
    public abstract void handedOver(Others others, long now);

    /** The lock is freed, and a call of this client asks right behind. */
    public void followed() {}

    /** A call of this client was refused. */
    void refused() {}

    /** A message says that another client wants the lock. */
    void wanted(long now) {}

    // --- its end ---

    /** A release of this client is on its way. */
    public void releasing(long now) {}

    /** The release was confirmed. */
    abstract void released(Outcome.Applied done, boolean listening);

    /** Whether others are to go first now. */
    abstract boolean letsOthersGo();

    /** A message says that the lock is free. */
    void heard() {}

    /** Whether such a message has come since the release, or that of the release itself. */
    boolean hasHeard() {
        return false;
    }

    /** In how long the head asks if none comes. */
    abstract long messageDueNanos();

    /** In how long the head asks after such a message. */
    long pauseNanos(long now) {
        return 0;
    }
}
