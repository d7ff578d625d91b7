package io.holdfast.lock.tests.support;

import static io.holdfast.lock.tests.support.Futures.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** A thread id that no thread has, with the asynchronous methods. */
final class AsyncParty implements Party {

    private static final AtomicLong IDS = new AtomicLong(1_000_000);
    private static final long WATCHDOG = -1;

    private final RLock lock;
    private final long id = IDS.incrementAndGet();

    AsyncParty(RLock lock) {
        this.lock = lock;
    }

    @Override
    public void lock() {
        get(lock.lockAsync(id));
    }

    @Override
    public void lock(Duration lease) {
        get(lock.lockAsync(lease.toMillis(), MILLISECONDS, id));
    }

    @Override
    public boolean tryLock() {
        return get(lock.tryLockAsync(id));
    }

    @Override
    public boolean tryLock(Duration wait) {
        return get(lock.tryLockAsync(wait.toMillis(), WATCHDOG, MILLISECONDS, id));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) {
        return get(lock.tryLockAsync(wait.toMillis(), lease.toMillis(), MILLISECONDS, id));
    }

    @Override
    public void unlock() {
        get(lock.unlockAsync(id));
    }

    @Override
    public boolean holds() {
        return get(lock.isHeldByThreadAsync(id));
    }

    @Override
    public int holdCount() {
        return get(lock.getHoldCountAsync(id));
    }

    @Override
    public OptionalLong token() {
        return OptionalLong.empty();
    }

    @Override
    public void close() {}
}
