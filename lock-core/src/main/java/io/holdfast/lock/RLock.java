package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A reentrant lock that all processes share. Any number of threads may use one object; objects are cheap, and equal if they
 * stand for the same lock of the same client.
 *
 * <pre>{@code
 * RLock lock = client.getLock("stock:42");
 * if (lock.tryLock(5, 30, TimeUnit.SECONDS)) {
 *     try {
 *         // at most one owner is here
 *     } finally {
 *         lock.unlock();
 *     }
 * }
 * }</pre>
 *
 * <p><b>The promise.</b> On one server whose keys survive, and with clocks that drift at most 1 %, the validity windows
 * of different owners never overlap. An owner that loses a lock is told. Every hold has a {@linkplain #getFencingToken()
 * fencing token}.
 *
 * <p><b>Arguments.</b> A wait of zero or less is one attempt. Waits of more than ten years are for ever. A lease of -1
 * means the watchdog: the hold is renewed every third of the lease until it is released. Any other lease below 10 ms is
 * an {@link IllegalArgumentException}; one of more than ten years is cut to that.
 *
 * <p><b>Fixed leases.</b> A lease that is not renewed and not released is on the server until it is over there. No other
 * owner gets the lock before, also when its owner's validity has passed, or its client was {@linkplain LockClient#close() closed}. So
 * {@code tryLock(0, 1, HOURS)} without an {@code unlock()} is true once in an hour. A call that names no lease takes that of
 * the view ({@link #withLease}), else that of the {@link LockOptions}, else the watchdog's.
 *
 * <p><b>Failures.</b> Beside what each method says, every method that talks to the server throws
 * {@link LockUnavailableException} (no effect, trying again can help), {@link LockServerException} (no effect, trying
 * again does not help), {@link LockOutcomeUnknownException} (the effect is not known and is being undone) and
 * {@link LockClientClosedException}. A fault is never reported as {@code false}. Blocking methods throw
 * {@link IllegalStateException} on a thread that serves the client's connections.
 *
 * <p><b>Reentry.</b> The owner of the methods of {@link Lock} is the calling thread. It may take the lock again, and
 * has to release it as often. A hold that is lost cannot be re-entered: if the loss is found by the re-entry itself,
 * it throws {@link LockLostException}; once the loss is known, taking the lock begins a new hold, and the releases
 * that belong to the lost one throw.
 */
public interface RLock extends Lock, RLockAsync {

    /** The lock's name, as given to {@link LockClient#getLock}. */
    String getName();

    /**
     * Takes the lock, waiting as long as it takes. Interrupts do not end the wait; the flag is kept.
     *
     * @throws LockLostException if the calling thread held the lock and this call finds that it was lost
     */
    @Override
    void lock();

    /** As {@link #lock()}, for a fixed lease that is not renewed, and that outlives the client if it is not released. */
    void lock(long leaseTime, TimeUnit unit);

    /**
     * As {@link #lock()}, but an interrupt ends the wait.
     *
     * @throws InterruptedException if interrupted on entry or while waiting; the lock is not held
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /** As {@link #lockInterruptibly()}, for a fixed lease that is not renewed. */
    void lockInterruptibly(long leaseTime, TimeUnit unit) throws InterruptedException;

    /** Takes the lock if it is free now: the server is asked exactly once. Renewed by the watchdog. */
    @Override
    boolean tryLock();

    /** Takes the lock if it becomes free within the wait; renewed by the watchdog. */
    @Override
    boolean tryLock(long waitTime, TimeUnit unit) throws InterruptedException;

    /**
     * Takes the lock for a fixed lease if it becomes free within the wait. If it is not released, it stays taken until the
     * lease is over on the server, also when the client is closed.
     *
     * @return false if another owner held it for the whole wait
     * @throws InterruptedException if interrupted on entry or while waiting; the lock is not held
     */
    boolean tryLock(long waitTime, long leaseTime, TimeUnit unit) throws InterruptedException;

    /**
     * Releases the lock once, within one {@link ClientOptions#commandTimeout()}. Not interruptible.
     *
     * <p>Whatever it throws, the level has ended in this client: it is not to be released again. If it was the last one, the release
     * goes on in the background, and the lock is free when its lease is over at the latest. The thread may take the lock again
     * at once; that release does not touch its new hold.
     *
     * @throws LockLostException if the calling thread held the lock and has lost it
     * @throws LockNotHeldException if the calling thread does not hold the lock
     * @throws LockOutcomeUnknownException if the server did not answer in time
     * @throws LockUnavailableException if the release could not be sent in time
     * @throws LockServerException if the server refuses
     */
    @Override
    void unlock();

    /**
     * Frees the lock, whichever owner holds it. That owner loses it.
     *
     * @return whether an owner held it
     */
    boolean forceUnlock();

    /** True if any owner holds the lock, as reported by the server. */
    boolean isLocked();

    /** True if the given thread of this client holds the lock validly. Answered locally, without a round trip. */
    boolean isHeldByThread(long threadId);

    /** True if the calling thread holds the lock validly. Answered locally, without a round trip. */
    boolean isHeldByCurrentThread();

    /** How many times the calling thread holds the lock validly. Answered locally, without a round trip. */
    int getHoldCount();

    /** Milliseconds until the lease runs out, as reported by the server; -2 if no owner holds the lock, -1 if it has no lease. */
    long remainTimeToLive();

    /**
     * The fencing token of the calling thread's hold.
     *
     * @throws LockLostException if the calling thread has lost its hold
     * @throws LockNotHeldException if it has none
     */
    long getFencingToken();

    /**
     * This lock with a fixed lease for calls that name none: {@code lock.withLease(tenSeconds).acquire()}. A view: it
     * shares the lock's holds and owners, and is equal to it. A lease that a call names wins over the view's, also the -1
     * that means the watchdog.
     *
     * @throws IllegalArgumentException if the lease is below 10 ms or longer than {@code maxHold}
     */
    RLock withLease(Duration lease);

    /**
     * Takes the lock as a hold of its own, waiting as long as it takes. Such a hold is never re-entrant: the same thread
     * asking twice waits for itself.
     */
    LockHold acquire() throws InterruptedException;

    /** Takes the lock as a hold of its own if it is free now: the server is asked exactly once. */
    Optional<LockHold> tryAcquire();

    /** Takes the lock as a hold of its own if it becomes free within the wait. */
    Optional<LockHold> tryAcquire(Duration wait) throws InterruptedException;

    /** As {@link #tryAcquire(Duration)}, for a fixed lease that is not renewed. */
    Optional<LockHold> tryAcquire(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Runs an action while holding the lock, and gives the lock back. The hold belongs to the action, not to the thread.
     *
     * @param wait how long to wait for the lock
     * @throws LockTimeoutException if the lock was not granted within the wait; the action did not run
     * @throws LockLostException if the lock was lost before the action ended
     * @throws InterruptedException if interrupted while waiting; the action did not run
     */
    <X extends Exception> void run(Duration wait, LockedAction<X> action) throws X, InterruptedException;

    /** As {@link #run}, with a result. */
    <T extends @Nullable Object, X extends Exception> T call(Duration wait, LockedTask<T, X> task)
            throws X, InterruptedException;

    /** The owners that hold the lock, since when, and how many calls wait. */
    LockInfo inspect();

    /**
     * The condition with the name {@code default}: all processes share it.
     *
     * @throws UnsupportedOperationException unless this is a {@linkplain LockClient#getFairLock fair lock}
     */
    @Override
    RCondition newCondition();

    /**
     * The condition of this name, which all processes share. Cheap: nothing is sent.
     *
     * @param name of 1 to 1,024 bytes, as that of a lock
     * @throws UnsupportedOperationException unless this is a {@linkplain LockClient#getFairLock fair lock}: a signal moves a waiter
     *     into the lock's queue at the server, and no other lock has one that is exclusive
     */
    RCondition newCondition(String name);
}
