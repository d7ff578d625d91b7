package io.holdfast.lock.spi;

/**
 * The word of a majority of all Sentinels about the server that calls go to, for the failover guard (rules 86 and 88).
 *
 * <p>Any thread may ask, and is answered at once. It ends with its backend.
 */
public interface Vouching {

    /** The epoch of a server that no majority of all Sentinels names. */
    long NO_EPOCH = -1;

    /**
     * The epoch under which a majority of all Sentinels has named the server that calls go to now, as far as its answers
     * still count; {@link #NO_EPOCH} if there is none.
     */
    long epoch();

    /**
     * Until when, on the {@link Runtime}'s monotonic clock, answers may be used to calls that named this epoch. A time that is
     * over if the epoch is not {@link #epoch()} any more. It may become later with every answer of a Sentinel.
     */
    long untilNanos(long epoch);

    /** Has a task run, on a transport's thread, each time that {@link #epoch()} may have become another. Must not block. */
    void listen(Runnable task);
}
