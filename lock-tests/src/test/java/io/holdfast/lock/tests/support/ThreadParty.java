package io.holdfast.lock.tests.support;

import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A thread that uses the blocking methods. */
final class ThreadParty implements Party {

    private final RLock lock;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread owner = new Thread(work, "party");
        owner.setDaemon(true);
        return owner;
    });

    ThreadParty(RLock lock) {
        this.lock = lock;
    }

    @Override
    public void lock() {
        onThread(() -> {
            lock.lock();
            return true;
        });
    }

    @Override
    public void lock(Duration lease) {
        onThread(() -> {
            lock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        });
    }

    @Override
    public boolean tryLock() {
        return onThread(lock::tryLock);
    }

    @Override
    public boolean tryLock(Duration wait) {
        return onThread(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) {
        return onThread(() -> lock.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public void unlock() {
        onThread(() -> {
            lock.unlock();
            return true;
        });
    }

    @Override
    public boolean holds() {
        return onThread(lock::isHeldByCurrentThread);
    }

    @Override
    public int holdCount() {
        return onThread(lock::getHoldCount);
    }

    @Override
    public OptionalLong token() {
        return OptionalLong.of(onThread(lock::getFencingToken));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private <T> T onThread(Callable<T> call) {
        try {
            return thread.submit(call).get();
        } catch (ExecutionException failed) {
            throw Futures.unwrapped(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
