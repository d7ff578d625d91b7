package io.holdfast.lock.engine.lock;

import io.holdfast.lock.RFencedLock;
import io.holdfast.lock.RFuture;
import io.holdfast.lock.engine.hold.Hold;
import io.holdfast.lock.engine.hold.Terms;
import io.holdfast.lock.engine.key.KeyLayout;
import io.holdfast.lock.engine.key.LockKeys;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A lock of one engine whose calls answer with tokens. It differs in what it returns, and in its naming. */
public final class FencedLock extends EngineLock implements RFencedLock {

    public FencedLock(LockSite site, Terms terms, String name) {
        this(site, terms, name, KeyLayout.ofFenced(terms.options()).keys(name));
    }

    private FencedLock(LockSite site, Terms terms, String name, LockKeys keys) {
        super(site, terms, name, keys);
    }

    @Override
    public FencedLock withLease(Duration lease) {
        return new FencedLock(site, new Terms(kind, optionsWith(lease)), getName(), keys);
    }

    @Override
    public Long getToken() {
        return getFencingToken();
    }

    @Override
    public Long lockAndGetToken() {
        return surely(take(unnamed(), Ticket.NEVER, "lockAndGetToken"));
    }

    @Override
    public Long lockAndGetToken(long leaseTime, TimeUnit unit) {
        return surely(take(named(leaseTime, unit), Ticket.NEVER, "lockAndGetToken"));
    }

    @Override
    public @Nullable Long tryLockAndGetToken() {
        return ifGranted(take(unnamed(), 0, "tryLockAndGetToken"));
    }

    @Override
    public @Nullable Long tryLockAndGetToken(long waitTime, TimeUnit unit) {
        return ifGranted(take(unnamed(), waitNanos(waitTime, unit), "tryLockAndGetToken"));
    }

    @Override
    public @Nullable Long tryLockAndGetToken(long waitTime, long leaseTime, TimeUnit unit) {
        return ifGranted(take(named(leaseTime, unit), waitNanos(waitTime, unit), "tryLockAndGetToken"));
    }

    @Override
    public RFuture<Long> getTokenAsync() {
        return known(this::getToken);
    }

    @Override
    public RFuture<Long> lockAndGetTokenAsync() {
        return promise(currentOwner(), unnamed(), Ticket.NEVER, FencedLock::surely);
    }

    @Override
    public RFuture<Long> lockAndGetTokenAsync(long leaseTime, TimeUnit unit) {
        return promise(currentOwner(), named(leaseTime, unit), Ticket.NEVER, FencedLock::surely);
    }

    @Override
    public RFuture<@Nullable Long> tryLockAndGetTokenAsync() {
        return this.<@Nullable Long>promise(currentOwner(), unnamed(), 0, FencedLock::ifGranted);
    }

    @Override
    public RFuture<@Nullable Long> tryLockAndGetTokenAsync(long waitTime, TimeUnit unit) {
        return this.<@Nullable Long>promise(
                currentOwner(), unnamed(), waitNanos(waitTime, unit), FencedLock::ifGranted);
    }

    @Override
    public RFuture<@Nullable Long> tryLockAndGetTokenAsync(long waitTime, long leaseTime, TimeUnit unit) {
        return this.<@Nullable Long>promise(
                currentOwner(), named(leaseTime, unit), waitNanos(waitTime, unit), FencedLock::ifGranted);
    }

    private static Long surely(Optional<Hold> granted) {
        return granted.orElseThrow().token;
    }

    private static @Nullable Long ifGranted(Optional<Hold> granted) {
        return granted.isPresent() ? granted.get().token : null;
    }

    @Override
    public String toString() {
        return "RFencedLock{" + Printable.of(getName()) + '}';
    }
}
