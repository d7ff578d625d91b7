package io.holdfast.lock;

import io.holdfast.lock.engine.EngineClient;
import java.util.List;

/**
 * Several locks taken as one: all or none, on one or several servers.
 *
 * <pre>{@code
 * RLock both = MultiLock.of(client.getLock("account:1"), client.getLock("account:2"));
 * }</pre>
 *
 * <p>The members are taken one after the other, in an order that is the same everywhere. If another owner's order may
 * differ, a call that waits with some members in hand gives them back after a while. So two MultiLocks never wait for each
 * other endlessly. One wait covers all members. They are ordinary holds of the same owner, which sees them when it has all
 * of them; if the call ends without the last one, all are given back.
 *
 * <p>Each member keeps its own options. A call that names no lease takes the shortest that a member's options name, else the
 * watchdog's for each member. No lease may be longer than any member's {@code maxHold}, and a fixed one lasts 100 ms at
 * least.
 *
 * <p>What the methods of {@link RLock} mean: it is locked when every member is; its time to live, its hold count and the
 * validity of its holds are the smallest of its members'; it is lost when any member is. Its fencing token is the
 * highest of its members' and increases from one acquisition of the same members to the next; a resource that is guarded
 * by one of them wants that member's own token.
 *
 * <p>{@link RLock#unlock unlock()} releases what a MultiLock of the same members took. A level that the caller took by a
 * member itself stays. If the caller has unlocked a member by itself, {@code unlock()} releases the others and throws
 * {@link LockNotHeldException}.
 */
public final class MultiLock {

    private MultiLock() {}

    /**
     * Makes one lock of several.
     *
     * @throws IllegalArgumentException if there are none, one is given twice, or one leaves no majority of its servers to
     *     another
     * @throws LockClientClosedException if a lock's client is closed
     */
    public static RLock of(RLock... locks) {
        return of(List.of(locks));
    }

    /** As {@link #of(RLock...)}. */
    public static RLock of(List<RLock> locks) {
        return EngineClient.multiLock(List.copyOf(locks));
    }
}
