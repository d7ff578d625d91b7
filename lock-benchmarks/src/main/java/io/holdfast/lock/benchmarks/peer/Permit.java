package io.holdfast.lock.benchmarks.peer;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A permit, as a lock that several hold: it remembers the id that it has to be given back by. */
final class Permit implements PeerLock {

    private final Callable<String> acquire;
    private final Supplier<@Nullable String> tryAcquire;
    private final Consumer<String> release;
    private @Nullable String id;

    Permit(Callable<String> acquire, Supplier<@Nullable String> tryAcquire, Consumer<String> release) {
        this.acquire = acquire;
        this.tryAcquire = tryAcquire;
        this.release = release;
    }

    @Override
    public void lock() {
        try {
            id = acquire.call();
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception interrupted) {
            throw new IllegalStateException("no permit was taken", interrupted);
        }
    }

    @Override
    public boolean tryLock() {
        id = tryAcquire.get();
        return id != null;
    }

    @Override
    public void unlock() {
        String taken = id;
        if (taken == null) {
            throw new IllegalStateException("no permit was taken");
        }
        id = null;
        release.accept(taken);
    }
}
