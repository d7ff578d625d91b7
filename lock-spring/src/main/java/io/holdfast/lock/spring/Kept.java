package io.holdfast.lock.spring;

import io.holdfast.lock.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The holdings that transactions of a thread keep after the calls that took them have ended. A later call of the thread joins
 * them, also in another transaction while the first one is suspended: else it would wait for itself. A transaction may
 * complete on another thread, which takes its holdings out of here.
 */
final class Kept {

    private static final ThreadLocal<@Nullable Kept> THREAD = new ThreadLocal<>();

    private final List<Holding> holdings = new ArrayList<>();

    static Kept ofThread() {
        Kept kept = THREAD.get();
        if (kept == null) {
            kept = new Kept();
            THREAD.set(kept);
        }
        return kept;
    }

    synchronized void add(Holding holding) {
        holdings.add(holding);
    }

    /** The transaction that kept it has completed, on whichever thread. */
    void remove(Holding holding) {
        synchronized (this) {
            holdings.remove(holding);
            if (!holdings.isEmpty()) {
                return;
            }
        }
        if (THREAD.get() == this) {
            THREAD.remove();
        }
    }

    /** As {@link Inside#join}, of what this thread keeps. */
    static @Nullable Holding join(LockClient client, String key, Kind kind) {
        return first(holding -> holding.join(client, key, kind));
    }

    /** As {@link Inside#keepingOut}, of what this thread keeps. */
    static @Nullable Holding keepingOut(LockClient client, String key, Kind kind) {
        return first(holding -> holding.keepsOut(client, key, kind));
    }

    /** The holding of this key that this thread keeps, for {@link LockAssert}. */
    static @Nullable Holding find(String key) {
        return first(holding -> holding.keys().contains(key) && holding.isUsed());
    }

    private static @Nullable Holding first(Predicate<Holding> which) {
        Kept kept = THREAD.get();
        if (kept != null) {
            for (Holding holding : kept.copy()) {
                if (which.test(holding)) {
                    return holding;
                }
            }
        }
        return null;
    }

    private synchronized List<Holding> copy() {
        return new ArrayList<>(holdings);
    }
}
