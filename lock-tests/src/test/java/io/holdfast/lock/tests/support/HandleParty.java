package io.holdfast.lock.tests.support;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.RLock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Whoever has the handle. */
final class HandleParty implements Party {

    private final RLock lock;
    private volatile @Nullable LockHold hold;

    HandleParty(RLock lock) {
        this.lock = lock;
    }

    @Override
    public void lock() throws InterruptedException {
        hold = lock.acquire();
    }

    @Override
    public void lock(Duration lease) throws InterruptedException {
        hold = lock.withLease(lease).acquire();
    }

    @Override
    public boolean tryLock() throws InterruptedException {
        return keep(lock.tryAcquire(Duration.ZERO));
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return keep(lock.tryAcquire(wait));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return keep(lock.tryAcquire(wait, lease));
    }

    @Override
    public void unlock() {
        held().close();
    }

    @Override
    public boolean holds() {
        LockHold mine = hold;
        return mine != null && (mine.state() == HoldState.HELD || mine.state() == HoldState.UNCERTAIN);
    }

    @Override
    public int holdCount() {
        return holds() ? 1 : 0;
    }

    @Override
    public OptionalLong token() {
        return OptionalLong.of(held().fencingToken());
    }

    @Override
    public void close() {}

    private boolean keep(Optional<LockHold> granted) {
        granted.ifPresent(fresh -> hold = fresh);
        return granted.isPresent();
    }

    private LockHold held() {
        LockHold mine = hold;
        if (mine == null) {
            throw new IllegalStateException("this party was never granted the lock");
        }
        return mine;
    }
}
