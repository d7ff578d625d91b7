package io.holdfast.lock;

import java.util.List;

/**
 * Several locks taken as one: all or none, at one or several servers.
 *
 * <pre>{@code
 * RLock both = MultiLock.of(client.getLock("account:1"), client.getLock("account:2"));
 * }</pre>
 *
 * <p>The members are taken one after the other, in an order that is the same everywhere, so that two of them can't wait
 * for each other; one wait covers all. They are ordinary holds of the same owner, and are all given back if the wait
 * ends without the last, by whatever means.
 *
 * <p>What the methods of {@link RLock} mean: it is locked when every member is; its time to live, its hold count and the
 * validity of its holds are the smallest of its members'; it is lost when any member is. Its fencing token is the
 * highest of its members' and increases from one acquisition of the same members to the next; a resource that is guarded
 * by one of them wants that member's own token.
 */
public final class MultiLock {

    private MultiLock() {}

    /**
     * Makes one lock of several.
     *
     * @throws IllegalArgumentException if there are none, or one is given twice
     * @throws LockClientClosedException if a lock's client is closed
     */
    public static RLock of(RLock... locks) {
        return of(List.of(locks));
    }

    /** As {@link #of(RLock...)}. */
    public static RLock of(List<RLock> locks) {
        return LockProvider.load().multiLock(List.copyOf(locks));
    }
}
