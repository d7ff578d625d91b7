package io.holdfast.lock.tests.support;

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
    private final Ground ground;
    private final long id = IDS.incrementAndGet();

    AsyncParty(RLock lock, Ground ground) {
        this.lock = lock;
        this.ground = ground;
    }

    @Override
    public void lock() {
        ground.get(lock.lockAsync(id));
    }

    @Override
    public void lock(Duration lease) {
        ground.get(lock.lockAsync(lease.toMillis(), MILLISECONDS, id));
    }

    @Override
    public boolean tryLock() {
        return ground.get(lock.tryLockAsync(id));
    }

    @Override
    public boolean tryLock(Duration wait) {
        return ground.get(lock.tryLockAsync(wait.toMillis(), WATCHDOG, MILLISECONDS, id));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) {
        return ground.get(lock.tryLockAsync(wait.toMillis(), lease.toMillis(), MILLISECONDS, id));
    }

    @Override
    public void unlock() {
        ground.get(lock.unlockAsync(id));
    }

    @Override
    public boolean holds() {
        return ground.get(lock.isHeldByThreadAsync(id));
    }

    @Override
    public int holdCount() {
        return ground.get(lock.getHoldCountAsync(id));
    }

    @Override
    public OptionalLong token() {
        return OptionalLong.empty();
    }

    @Override
    public void close() {}
}
