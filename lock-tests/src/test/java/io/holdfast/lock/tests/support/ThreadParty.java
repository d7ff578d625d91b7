package io.holdfast.lock.tests.support;

import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A thread that uses the blocking methods. */
final class ThreadParty implements Party {

    private final RLock lock;
    private final Ground.Caller thread;

    ThreadParty(RLock lock, Ground ground) {
        this.lock = lock;
        this.thread = ground.caller();
    }

    @Override
    public void lock() {
        thread.call(() -> {
            lock.lock();
            return true;
        });
    }

    @Override
    public void lock(Duration lease) {
        thread.call(() -> {
            lock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return thread.call(lock::tryLock);
    }

    @Override
    public boolean tryLock(Duration wait) {
        return thread.call(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) {
        return thread.call(() -> lock.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
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
        return OptionalLong.of(thread.call(lock::getFencingToken));
    }

    @Override
    public void close() {
        thread.close();
    }
}
