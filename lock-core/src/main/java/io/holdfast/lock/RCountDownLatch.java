package io.holdfast.lock;

import java.util.concurrent.TimeUnit;

/**
 * A gate that opens for all who await it when it was counted down so often: a {@link java.util.concurrent.CountDownLatch} of
 * many processes. The latch of a name is another object than the lock of that name.
 *
 * <pre>{@code
 * RCountDownLatch ready = client.getCountDownLatch("import:ready");
 * ready.trySetCount(3);
 * // each of three workers, when it is done:
 * ready.countDown();
 * // the one that goes on behind them:
 * ready.await();
 * }</pre>
 *
 * <p>What it promises, on one server:
 *
 * <ul>
 *   <li>A call of {@link #countDown()} counts once, however often its request has to be repeated, and never in a later round of
 *       the latch than the one for which it was sent.
 *   <li>An await ends when the latch opens, also if it was set again before the caller could look; a lost message delays it
 *       by a few seconds at most.
 *   <li>A latch that is gone is not open: data that was lost, or a latch that was deleted, ends an await with
 *       {@link LockLostException}.
 * </ul>
 *
 * <p>A process that dies before it counts leaves the latch closed: it has no lease. Await with a limit. A closed latch stays at
 * the server until it opens or is deleted; an open one is forgotten after an hour, and then counts as one that was never set. A
 * failover loses what was not replicated, also counts.
 *
 * <p>Any method throws {@link LockUnavailableException} if the server can't be reached for as long as the options allow,
 * {@link LockServerException} if it refuses, {@link LockClientClosedException} after {@link LockClient#close()}, and
 * {@link IllegalStateException} on a thread that may not block.
 */
public interface RCountDownLatch extends RCountDownLatchAsync {

    /** The latch's name. */
    String getName();

    /**
     * Closes a latch that is open or was never set: it opens after so many calls of {@link #countDown()}.
     *
     * @param count at least 1, and less than 2<sup>53</sup>
     * @return false if the latch is closed: its count stays as it is
     * @throws IllegalArgumentException if the count is out of its range
     * @throws LockOutcomeUnknownException if an answer was lost, and it can't be told whether this call or another has set it
     */
    boolean trySetCount(long count);

    /**
     * Counts down by one, and opens the latch if that was the last. Does nothing if the latch is open or was never set. It
     * waits for a server that can't be reached for as long as a release does; an interrupt does not end that.
     *
     * @throws LockOutcomeUnknownException if no answer came, and it may have counted; or if an answer was lost, and the latch was set
     *     again before or after it. A new call would count again
     */
    void countDown();

    /** How many calls of {@link #countDown()} are missing; 0 if the latch is open or was never set. */
    long getCount();

    /**
     * Waits until the latch is open; returns at once if it is, or was never set.
     *
     * @throws LockLostException if the latch was deleted, or its data lost, while this waited
     */
    void await() throws InterruptedException;

    /**
     * Waits until the latch is open, as {@link #await()} does, for so long at most.
     *
     * @return whether it is open; false only if the latch was seen closed within the last seconds
     * @throws LockLostException if the latch was deleted, or its data lost, while this waited
     * @throws LockUnavailableException if the time is over and the server did not answer
     */
    boolean await(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Deletes the latch. Who awaits it gets a {@link LockLostException}.
     *
     * @return whether there was one. If an answer was lost and another client deleted it, before that or meanwhile, both say so.
     * @throws LockOutcomeUnknownException if no answer came, and it may have been deleted; or if an answer was lost, and there is
     *     another latch, which was set before or after it
     */
    boolean delete();
}
