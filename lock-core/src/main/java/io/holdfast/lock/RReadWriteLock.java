package io.holdfast.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many owners read under together, or one writes under alone. Both views have all that an {@link RLock} has: leases,
 * renewal, futures, handles, a fencing token for each hold, and the news of its loss.
 *
 * <p><b>Order.</b> First come, first served, with readers in company: a reader that finds no waiting writer enters; behind one it
 * waits, and all readers up to the next writer are admitted together. So neither starves. A call of {@code tryLock()} without a
 * wait does not pass those that wait.
 *
 * <p><b>Over a quorum</b> there is no order, since each node would have another one. Each half needs a majority of the nodes, and
 * exclusion, leases, tokens and losses are those of the plain lock there. The calls of one client wait in the order in which they
 * came; between clients chance decides, and readers that overlap may keep a writer out for ever. Where writers have to come in, let
 * readers pause, or take one store.
 *
 * <p><b>Re-entry.</b> Each view is reentrant. The owner of the write lock may take the read lock as well, at once, and keep it when
 * it releases the write lock: other readers are admitted then. Not so the other way round: an owner that reads and asks for the
 * write lock gets an {@link IllegalMonitorStateException}, since two readers that did so would wait for each other. Handles
 * ({@link RLock#acquire()}) have owners of their own: one that waits for what another one of its thread holds is not noticed.
 *
 * <p><b>Tokens.</b> Each hold has one, also a reader's, and it is greater than that of every writer before. Let the guarded resource
 * refuse a <em>write</em> below the highest token that it has seen, and a <em>read</em> below the highest token of a write.
 *
 * <p><b>What it shares.</b> The plain, the fair and the read/write lock of one name are one lock: they exclude each other, and
 * their calls wake each other. Only the order is not kept where plain ones are among them. {@link RLock#forceUnlock()} of the read
 * lock ends the holds of all readers, that of the write lock the writer's.
 */
public interface RReadWriteLock extends ReadWriteLock {

    @Override
    RLock readLock();

    @Override
    RLock writeLock();
}
