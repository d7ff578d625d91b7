package io.holdfast.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * So many permits, for which all processes compete, each with a lease of its own: given back by an id, or by a handle that knows its
 * fencing token and tells of its loss. The semaphore of a name is another object than the lock of that name; it has the permits of the
 * {@link RSemaphore} of that name.
 *
 * <pre>{@code
 * RPermitExpirableSemaphore slots = client.getPermitExpirableSemaphore("render:slots");
 * slots.trySetPermits(4);
 * String permit = slots.acquire(2, TimeUnit.MINUTES);
 * try {
 *     // one of four, for two minutes at most
 * } finally {
 *     slots.tryRelease(permit);
 * }
 * }</pre>
 *
 * <p>What it promises, on one server:
 *
 * <ul>
 *   <li>No more permits are taken than the limit says. A lease counts by the server's clock; when it is over the permit is free, and a
 *       late release of it takes nothing from its next holder.
 *   <li>A permit that is taken without a lease is renewed while its client lives, and free within one lease of the watchdog when its
 *       process dies.
 *   <li>Permits go to calls in the order in which they came. A call for several gets them together, each with an id, a lease and a
 *       token of its own; while it is the first in the queue, later calls for fewer wait behind it.
 * </ul>
 *
 * <p>An id may be given to another client, which may release the permit or make its lease longer. The client that took it learns of a
 * release at its next renewal, and of a permit with a fixed lease when that is over; when it loses the permit or is closed, the permit
 * may end, however long another client has made it. Until a limit is set there are no permits, and calls wait. An interrupt ends a wait.
 *
 * <p>Any method throws {@link LockUnavailableException} if the server can't be reached for as long as the options allow,
 * which is one {@link ClientOptions#commandTimeout()} for a release, which then goes on in the background,
 * {@link LockOutcomeUnknownException} if it is not known whether it took effect, {@link LockServerException} if the server refuses, as
 * it does when more permits are asked for at once than the limit is, {@link LockClientClosedException} after
 * {@link LockClient#close()}, {@link IllegalArgumentException} for a number of permits below 1 or above 1,000 and for what can't be an
 * id, and {@link IllegalStateException} on a thread that may not block.
 */
public interface RPermitExpirableSemaphore extends RPermitExpirableSemaphoreAsync {

    /** The semaphore's name. */
    String getName();

    /** Waits for a permit, takes it with the lease of the {@link LockOptions}, by default under the watchdog, and returns its id. */
    String acquire() throws InterruptedException;

    /** The same with a fixed lease; -1 is the watchdog. */
    String acquire(long leaseTime, TimeUnit unit) throws InterruptedException;

    /** Waits for so many permits, takes them together, and returns their ids. */
    List<String> acquire(int permits) throws InterruptedException;

    /** The same with a fixed lease; -1 is the watchdog. */
    List<String> acquire(int permits, long leaseTime, TimeUnit unit) throws InterruptedException;

    /** Takes a permit if one is left and no other call waits for it: its id, else null. */
    @Nullable
    String tryAcquire();

    /** Takes so many permits together if they are left and no other call waits for them: their ids, else an empty list. */
    List<String> tryAcquire(int permits);

    /** Waits for a permit for so long at most: its id, or null if there was none. */
    @Nullable
    String tryAcquire(long waitTime, TimeUnit unit) throws InterruptedException;

    /** The same with a fixed lease; -1 is the watchdog. */
    @Nullable
    String tryAcquire(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException;

    /** Waits for so many permits for so long at most: their ids, or an empty list. A lease of -1 is the watchdog. */
    List<String> tryAcquire(int permits, long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException;

    /** As {@link #acquire()}, and returns a handle. */
    LockHold acquireHold() throws InterruptedException;

    /** Waits for a permit for so long at most. */
    Optional<LockHold> tryAcquireHold(Duration wait) throws InterruptedException;

    /** The same with a fixed lease. */
    Optional<LockHold> tryAcquireHold(Duration wait, Duration lease) throws InterruptedException;

    /** Waits for so many permits for so long at most: a handle for each, or an empty list. */
    List<LockHold> tryAcquireHolds(int permits, Duration wait, Duration lease) throws InterruptedException;

    /**
     * Gives back a permit.
     *
     * @throws LockNotHeldException if it is not taken: it was released, or its lease ran out
     * @throws LockLostException if this client took it, and learns now that it was lost
     */
    void release(String permitId);

    /**
     * Gives back permits, each by itself. What could be given back is, also when another fails.
     *
     * @throws LockNotHeldException if one of them is not taken
     */
    void release(List<String> permitIds);

    /**
     * Gives back a permit; false if it is not taken.
     *
     * @throws LockOutcomeUnknownException if it is not taken, and an answer to this call was lost, which may have given it back
     */
    boolean tryRelease(String permitId);

    /**
     * Makes a permit last at least so long from now on. It is never shortened.
     *
     * @return false if it is not taken
     * @throws UnsupportedOperationException for a permit of another client, with the option {@code failoverGuard}
     */
    boolean updateLeaseTime(String permitId, long leaseTime, TimeUnit unit);

    /** How many permits are left; a permit that is kept for a waiting call is not. */
    int availablePermits();

    /** How many permits are taken, or kept for a waiting call; more than the limit if that was lowered. */
    int acquiredPermits();

    /** The limit; 0 if none was set. */
    int getPermits();

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
