package io.holdfast.lock.engine.lock;

import io.holdfast.lock.RLock;
import io.holdfast.lock.RReadWriteLock;
import io.holdfast.lock.text.Printable;

/** Both halves of a read/write lock. */
public record ReadWriteView(RLock readLock, RLock writeLock) implements RReadWriteLock {

    @Override
    public String toString() {
        return "RReadWriteLock{" + Printable.of(readLock.getName()) + '}';
    }
}
