package io.holdfast.lock;

import io.holdfast.lock.engine.EngineClient;
import java.util.List;

/**
 * One lock made of the locks of several clients, each of its own independent server: held by the owner to which a majority
 * of the servers has granted it. It survives the loss of any minority of them.
 *
 * <pre>{@code
 * RLock lock = RedLock.of(client1.getLock("stock"), client2.getLock("stock"), client3.getLock("stock"));
 * }</pre>
 *
 * <p>Where an application has no other use for the single clients, {@link LockClient#connectQuorum(String...)} is
 * simpler. The lock ends with the first of the clients that is closed.
 *
 * <p>Locks of the same names over the same clients, in any order, are one lock, with the same owners. A thread that would wait for itself, because it holds a member, or holds the lock over other clients and leaves no
 * majority, gets an {@link IllegalStateException}.
 *
 * <p>Of read locks, or of write locks, it is that half of a read/write lock over their servers, without an order
 * ({@link RReadWriteLock}). Of fair locks there is none.
 *
 * <p><b>The promise</b> is that of one server as long as a majority is reachable, if no node forgets locks that it has
 * granted. Three nodes are the fewest that survive the loss of one; an even number survives no more losses than the odd
 * number below it. Both are accepted with a warning.
 */
public final class RedLock {

    private RedLock() {}

    /**
     * Makes one lock of several.
     *
     * @param locks of different servers, with the same options; their names may differ
     * @throws IllegalArgumentException if there are none, two are kept by the same server, one is not a lock of a single
     *     server, one is a fair lock, they are not of one kind, or there is a RedLock over these clients with other options
     * @throws LockClientClosedException if a lock's client is closed
     */
    public static RLock of(RLock... locks) {
        return of(QuorumOptions.defaults(), List.of(locks));
    }

    /** As {@link #of(RLock...)}, with options. */
    public static RLock of(QuorumOptions quorum, List<RLock> locks) {
        return EngineClient.redLock(List.copyOf(locks), quorum);
    }
}
