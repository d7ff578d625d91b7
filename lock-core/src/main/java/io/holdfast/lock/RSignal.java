package io.holdfast.lock;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * A number that grows whenever it is sent, and wakes all who wait for a greater one than they know: "something has changed, look
 * again". It stays at the server, so that a signal which is sent while a receiver is away is not missed.
 *
 * <pre>{@code
 * RSignal changed = client.getSignal("prices");
 * long seen = changed.current();
 * while (true) {
 *     // look at what the signal is about; whatever changes from here on is seen in the next round
 *     OptionalLong next = changed.await(seen, Duration.ofMinutes(1));
 *     if (next.isEmpty()) {
 *         break;
 *     }
 *     seen = next.getAsLong();
 * }
 * }</pre>
 *
 * <p>Each receiver keeps the number that it has seen. Several signals may be seen as one, since only the newest number is there;
 * a signal whose request had to be repeated may be seen as two. None is missed while the server keeps its data, and numbers grow
 * also after a loss of data as long as the server's clock is not set back. A signal carries no data: what must arrive goes into a
 * queue or a stream. One that is to wake a single receiver is a permit of a semaphore.
 *
 * <p>Its number stays at the server for good: use few names. The signal of a name is another object than the lock of that name.
 *
 * <p>Any method throws {@link LockUnavailableException} if the server can't be reached for as long as the options allow,
 * {@link LockServerException} if it refuses, {@link LockClientClosedException} after {@link LockClient#close()}, and
 * {@link IllegalStateException} on a thread that may not block.
 */
public interface RSignal extends RSignalAsync {

    /** The signal's name. */
    String getName();

    /** The number that was sent last; 0 if none was. */
    long current();

    /**
     * Sends: makes the number greater.
     *
     * @return the new number
     * @throws LockOutcomeUnknownException if no answer came, and it may have been sent; sending again is harmless
     */
    long send();

    /**
     * Waits until the number is greater than one that was seen before.
     *
     * @param after the number that was seen; 0 for any that was ever sent
     * @param limit how long to wait at most; none at all if it is zero or negative
     * @return the present number, or empty if there was none within the limit
     * @throws LockUnavailableException if the time is over and the server did not answer
     */
    OptionalLong await(long after, Duration limit) throws InterruptedException;
}
