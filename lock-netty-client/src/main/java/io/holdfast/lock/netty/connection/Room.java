package io.holdfast.lock.netty.connection;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How many ordinary calls to a store may wait to be written, in one queue or in several that share this room, and the clients
 * that wait for a place.
 *
 * <p>There is less room where a connection takes fewer calls in the time that one may wait. The others would come back, wait
 * in vain again, and keep the event loop busy with nothing else. So there is less of it when a call has waited for too long,
 * and more again, step by step, while none does.
 */
public final class Room {

    /** There is always room for so many, if the limit allows it. */
    private static final int FEWEST = 1_024;

    /** How much less room there is when a call has waited for too long. */
    private static final int CUT = 8;

    private final int limit;
    private final long patienceNanos;
    private final AtomicInteger taken = new AtomicInteger();
    /** The clients that wait for room. */
    private final Queue<IntConsumer> seekers = new ConcurrentLinkedQueue<>();

    /** The bound of now, set by the event loop. */
    private volatile int bound;

    // The event loop's own.

    private long cutNanos;
    private boolean wasCut;
    /** How many calls were taken out since the bound has changed. */
    private int takenOut;

    /**
     * Room for so many.
     *
     * @param patienceNanos how long a call may wait at most
     */
    public Room(int limit, long patienceNanos) {
        this.limit = limit;
        this.bound = limit;
        this.patienceNanos = patienceNanos;
    }

    // --- any thread ---

    /** Takes a place if there is one. A count that was taken back would have kept others out meanwhile. */
    public boolean take() {
        for (int now = taken.get(); now < bound; now = taken.get()) {
            if (taken.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Takes a place for a call that had one before. */
    public void takeAnyway() {
        taken.incrementAndGet();
    }

    /** Gives a place back. */
    public void free() {
        taken.decrementAndGet();
    }

    /** How many places are taken. */
    public int taken() {
        return taken.get();
    }

    /** For how many ordinary calls there is room. */
    public int places() {
        return Math.max(0, bound - taken.get());
    }

    /** Whether there is room for so many ordinary calls that it is worth telling. */
    public boolean isHalfEmpty() {
        return taken.get() <= bound / 2;
    }

    /** Lets a client wait that wants to hear of room, with the number of places. */
    public void seek(IntConsumer seeker) {
        seekers.add(seeker);
    }

    boolean isSought() {
        return !seekers.isEmpty();
    }

    /** Takes the client out that has waited longest for room, if there is some. */
    public @Nullable IntConsumer nextSeeker() {
        return isHalfEmpty() ? seekers.poll() : null;
    }

    /** Whether a client is to be told of room. */
    public boolean isToBeTold() {
        return isSought() && isHalfEmpty();
    }

    // --- the event loop ---

    /** A call was taken out to be written. */
    void wasTakenOut() {
        if (bound < limit && ++takenOut >= bound) {
            takenOut = 0;
            bound = Math.min(limit, bound + FEWEST);
        }
    }

    /** A call has waited for too long though there is a connection: fewer may wait, once in such a time. */
    void isTooLong(long nowNanos) {
        if (!wasCut || nowNanos - cutNanos >= patienceNanos) {
            wasCut = true;
            cutNanos = nowNanos;
            takenOut = 0;
            bound = Math.max(Math.min(limit, FEWEST), bound / CUT);
        }
    }
}
