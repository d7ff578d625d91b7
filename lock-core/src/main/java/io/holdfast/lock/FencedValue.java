package io.holdfast.lock;

import java.util.Optional;

/**
 * A value in Redis that fencing tokens guard: a write is accepted only if its token is not older than the newest one
 * that the value has seen, in a write or in a read. Once a newer owner has read the value
 * with its token, writes with older tokens are rejected. So if you derive the new value from the old one, read it with
 * the token as well.
 *
 * <pre>{@code
 * FencedValue stock = client.getFencedValue("stock:42");
 * try (LockHold hold = client.getLock("stock:42").acquire()) {
 *     int left = Integer.parseInt(stock.get(hold.fencingToken()).orElse("100"));
 *     if (!stock.set(String.valueOf(left - 1), hold.fencingToken())) {
 *         throw new IllegalStateException("a newer owner has written");
 *     }
 * }
 * }</pre>
 */
public interface FencedValue {

    /**
     * The longest value, in bytes of UTF-8: 1 MiB. Values travel on the connection that all locks of a client share, and
     * what takes longer than a tenth of a second there would hold the locks up.
     */
    int MAX_BYTES = 1 << 20;

    /** The value's name. */
    String name();

    /**
     * Writes the value unless a newer token was seen.
     *
     * @return false if a newer token was seen, and nothing was written
     * @throws ValueTooLongException if the value has more than {@link #MAX_BYTES}; nothing was sent
     * @throws LockOutcomeUnknownException if no answer came and the value may have been written; writing the same value
     *     with the same token again is harmless
     */
    boolean set(String value, long fencingToken);

    /** The asynchronous twin of {@link #set}. */
    RFuture<Boolean> setAsync(String value, long fencingToken);

    /**
     * The value, empty if none was ever written. The read has no effect on tokens.
     *
     * @throws ValueTooLongException if something else has written a value of more than {@link #MAX_BYTES}
     */
    Optional<String> get();

    /** The asynchronous twin of {@link #get()}. */
    RFuture<Optional<String>> getAsync();

    /**
     * The value, empty if none was ever written. From now on writes with older tokens are rejected: only a newer owner
     * can change the value between this read and a write with the same token.
     *
     * @throws ValueTooLongException if something else has written a value of more than {@link #MAX_BYTES}; the token does
     *     not count as seen
     */
    Optional<String> get(long fencingToken);

    /** The asynchronous twin of {@link #get(long)}. */
    RFuture<Optional<String>> getAsync(long fencingToken);
}
