package io.holdfast.lock.tests.support;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.holdfast.lock.RFencedLock;
import java.time.Duration;
import java.util.OptionalLong;

/** A thread that uses the methods of fenced locks. */
final class FencedParty implements Party {

    private final RFencedLock lock;
    private final Ground.Caller thread;

    FencedParty(RFencedLock lock, Ground ground) {
        this.lock = lock;
        this.thread = ground.caller();
    }

    @Override
    public void lock() {
        thread.call(lock::lockAndGetToken);
    }

    @Override
    public void lock(Duration lease) {
        thread.call(() -> lock.lockAndGetToken(lease.toMillis(), MILLISECONDS));
    }

    @Override
    public boolean tryLock() {
        return thread.call(() -> lock.tryLockAndGetToken() != null);
    }

    @Override
    public boolean tryLock(Duration wait) {
        return thread.call(() -> lock.tryLockAndGetToken(wait.toMillis(), MILLISECONDS) != null);
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) {
        return thread.call(() -> lock.tryLockAndGetToken(wait.toMillis(), lease.toMillis(), MILLISECONDS) != null);
    }

    @Override
    public void unlock() {
        thread.call(() -> {
            lock.unlock();
            return true;
        });
    }

    @Override
    public boolean holds() {
        return thread.call(lock::isHeldByCurrentThread);
    }

    @Override
    public int holdCount() {
        return thread.call(lock::getHoldCount);
    }

    @Override
    public OptionalLong token() {
        return OptionalLong.of(thread.call(lock::getToken));
    }

    @Override
    public void close() {
        thread.close();
    }
}
