package io.holdfast.lock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A condition of a {@linkplain LockClient#getFairLock fair lock}, which all processes share: an owner that holds the lock gives it
 * up and waits, until another owner signals that what it waits for may have come about. All conditions of one name, of one lock,
 * are one.
 *
 * <pre>{@code
 * RLock lock = client.getFairLock("orders");
 * RCondition filled = lock.newCondition("filled");
 *
 * lock.lock();
 * try {
 *     while (orders.isEmpty()) {
 *         filled.await();
 *     }
 *     process(orders.take());
 * } finally {
 *     lock.unlock();
 * }
 * }</pre>
 *
 * <p><b>What is promised.</b> To give up the lock and to await are one step at the server: no signal comes between. A signal moves a
 * waiter at the server into the lock's queue, so it is not lost with a message or a connection. A call that awaits returns when
 * its owner has the lock again, with as many levels, each renewed or not as before, and with a <em>new fencing token</em>: what
 * was read before may have changed. The end of its time and an interrupt count for a call that no signal has moved; each signal moves a
 * call that had not left, if there was one.
 *
 * <p><b>What is not.</b> <em>Spurious wake-ups happen</em>, more often than in one process: after a loss of the server's data, and
 * to a client that was away for 15 s. So the loop around the predicate is not optional. <em>A waiter that dies after it was
 * signalled takes the signal with it</em>, as it would have a moment later; use {@link #signalAll()}, or await with a limit.
 *
 * <p><b>The owner</b> is the calling thread, as for {@link RLock#lock()}, or the thread whose id is given. The holds of
 * {@link RLock#acquire()} have owners of their own, which no thread is: there are no conditions for them.
 *
 * <p><b>Failures.</b> A call that awaits never returns without the lock: neither at the end of its time nor at an interrupt, and in a
 * cluster not while the lock's slot is being moved. It <em>throws</em> without the lock: {@link LockLostException} if the hold was lost
 * before it was given up; {@link LockClientClosedException}; {@link LockUnavailableException} or {@link LockOutcomeUnknownException}
 * after an outage longer than the client puts up with. Then the owner does not hold the lock, and {@code unlock()} says so.
 * {@link InterruptedException} is thrown by an owner that has the lock again. {@link IllegalMonitorStateException} is thrown by each
 * method, and nothing is sent, if the owner does not hold the lock exclusively; and by those that await if it also holds the read lock
 * of the same name or has taken the lock by a {@link MultiLock}, for these it would keep.
 */
public interface RCondition extends Condition {

    /** The condition's name. */
    String getName();

    /** Gives up the lock, and waits for a signal as long as it takes; the future completes when the owner has the lock again. */
    RFuture<Void> awaitAsync();

    /** The same. Cancelling the future ends it without the lock. */
    RFuture<Void> awaitAsync(long threadId);

    /** As {@link #await(long, TimeUnit)}: the future tells whether a signal came in time. */
    RFuture<Boolean> awaitAsync(long time, TimeUnit unit);

    RFuture<Boolean> awaitAsync(long time, TimeUnit unit, long threadId);

    /** As {@link #signal()}. */
    RFuture<Void> signalAsync();

    RFuture<Void> signalAsync(long threadId);

    /** As {@link #signalAll()}. */
    RFuture<Void> signalAllAsync();

    RFuture<Void> signalAllAsync(long threadId);
}
