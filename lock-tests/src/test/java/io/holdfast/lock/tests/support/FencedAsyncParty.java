package io.holdfast.lock.tests.support;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RFuture;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A thread that uses the asynchronous methods of fenced locks, whose owner it is. */
final class FencedAsyncParty implements Party {

    private final RFencedLock lock;
    private final Ground ground;
    private final Ground.Caller thread;

    FencedAsyncParty(RFencedLock lock, Ground ground) {
        this.lock = lock;
        this.ground = ground;
        this.thread = ground.caller();
    }

    private <V extends @Nullable Object> V result(Callable<RFuture<V>> call) {
        return ground.get(thread.call(call));
    }

    @Override
    public void lock() {
        result(lock::lockAndGetTokenAsync);
    }

    @Override
    public void lock(Duration lease) {
        result(() -> lock.lockAndGetTokenAsync(lease.toMillis(), MILLISECONDS));
    }

    @Override
    public boolean tryLock() {
        return result(lock::tryLockAndGetTokenAsync) != null;
    }

    @Override
    public boolean tryLock(Duration wait) {
        return result(() -> lock.tryLockAndGetTokenAsync(wait.toMillis(), MILLISECONDS)) != null;
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) {
        return result(() -> lock.tryLockAndGetTokenAsync(wait.toMillis(), lease.toMillis(), MILLISECONDS)) != null;
    }

    @Override
    public void unlock() {
        result(lock::unlockAsync);
    }

    @Override
    public boolean holds() {
        return thread.call(lock::isHeldByCurrentThread);
    }

    @Override
    public int holdCount() {
        return result(lock::getHoldCountAsync);
    }

    @Override
    public OptionalLong token() {
        return OptionalLong.of(result(lock::getTokenAsync));
    }

    @Override
    public void close() {
        thread.close();
    }
}
