package io.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * So many permits, for which all processes compete: a {@link java.util.concurrent.Semaphore} of many processes, in which a process
 * that dies takes no permit with it. The semaphore of a name is another object than the lock of that name; it has the permits of the
 * {@link RPermitExpirableSemaphore} of that name.
 *
 * <pre>{@code
 * RSemaphore connections = client.getSemaphore("supplier:connections");
 * connections.trySetPermits(8);
 * connections.acquire();
 * try {
 *     // one of eight, in whatever process
 * } finally {
 *     connections.release();
 * }
 * }</pre>
 *
 * <p>What it promises, on one server:
 *
 * <ul>
 *   <li>No more permits are taken than the limit says, however often a request has to be repeated. Where a permit was lost and its
 *       process goes on, a resource must check: see {@link RPermitExpirableSemaphore} for permits with fencing tokens.
 *   <li>Permits go to calls in the order in which they came. A call for several gets them together; while it is the first in the
 *       queue, later calls for fewer wait behind it.
 *   <li>A permit belongs to this client, any of whose threads may release it, and is renewed while the client lives. When its process
 *       dies, it is free within one lease of the watchdog.
 *   <li>A loss is told to {@link LockListener}s, and the release of a lost permit throws {@link LockLostException}. It never gives back
 *       a permit of another thread, so a client is above the limit only until those that lost permits have released them.
 * </ul>
 *
 * <p>Each permit is to be released once, also if it was lost. A thread gives back what it took itself; a thread that has none gives
 * back what another thread or an asynchronous call took. After a loss such a thread can't tell whose permit it means: its release
 * throws {@link LockLostException} once for each loss. If the thread that lost the permit releases as well, it hears of the loss too, and
 * one permit stays taken. It is free after one more {@code release()} by a thread that has none, or when the client is closed.
 * A release that has thrown is not to be repeated otherwise.
 *
 * <p>Until a limit is set there are no permits, and calls wait. An interrupt ends a wait. {@link #release()} is not a way to make
 * more permits, as it is in the JDK: use {@link #setPermits(int)} or {@link #addPermits(int)}.
 *
 * <p>Any method throws {@link LockUnavailableException} if the server can't be reached for as long as the options allow,
 * which is one {@link ClientOptions#commandTimeout()} for a release, which then goes on in the background,
 * {@link LockOutcomeUnknownException} if it is not known whether it took effect, {@link LockServerException} if the server refuses,
 * {@link LockClientClosedException} after {@link LockClient#close()}, {@link IllegalArgumentException} for a number of permits below
 * 1 or above 1,000, and {@link IllegalStateException} on a thread that may not block.
 */
public interface RSemaphore extends RSemaphoreAsync {

    /** The semaphore's name. */
    String getName();

    /** Waits for a permit, and takes it. */
    void acquire() throws InterruptedException;

    /**
     * Waits for so many permits, and takes them together.
     *
     * @throws LockServerException if the limit is less
     */
    void acquire(int permits) throws InterruptedException;

    /** Takes a permit if one is left, and no other call waits for it. */
    boolean tryAcquire();

    /**
     * Takes so many permits together if they are left, and no other call waits for them.
     *
     * @throws LockServerException if the limit is less
     */
    boolean tryAcquire(int permits);

    /** Waits for a permit for so long at most; whether it took it. */
    boolean tryAcquire(Duration wait) throws InterruptedException;

    /**
     * Waits for so many permits for so long at most; whether it took them.
     *
     * @throws LockServerException if the limit is less
     */
    boolean tryAcquire(int permits, Duration wait) throws InterruptedException;

    /** As {@link #tryAcquire(Duration)}. */
    boolean tryAcquire(long waitTime, TimeUnit unit) throws InterruptedException;

    /** As {@link #tryAcquire(int, Duration)}. */
    boolean tryAcquire(int permits, long waitTime, TimeUnit unit) throws InterruptedException;

    /**
     * Gives back a permit: one that this thread took, else one that another thread or an asynchronous call took.
     *
     * @throws LockLostException if the permit was lost, or if this thread has none and another thread's was lost; nothing is given back
     * @throws IllegalStateException if this client has none
     */
    void release();

    /**
     * Gives back so many permits, as {@link #release()} does one after the other.
     *
     * @throws LockLostException if some were lost; the others are given back
     * @throws IllegalStateException if this client has fewer; then none is given back
     */
    void release(int permits);

    /** Takes all permits that are left, and returns how many; 0 while other calls wait for them. */
    int drainPermits();

    /** How many permits are left; a permit that is kept for a waiting call is not. */
    int availablePermits();

    /**
     * Sets the limit, if there is none yet.
     *
     * @param permits at least 0
     * @return whether this call has set it
     */
    boolean trySetPermits(int permits);

    /** Sets the limit. What is taken stays taken, also where that is more. */
    void setPermits(int permits);

    /**
     * Makes the limit greater by so many, or less if the number is negative.
     *
     * @throws IllegalArgumentException if the limit would be negative
     * @throws LockOutcomeUnknownException if an answer was lost, and another call has changed the limit since
     */
    void addPermits(int permits);
}
