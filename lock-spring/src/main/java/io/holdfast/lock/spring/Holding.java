package io.holdfast.lock.spring;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hold and those that use it: the call that took it, calls further in that joined, transactions that have not completed. The
 * last one that leaves gives it back, wherever that is. So a call that joined and outlives the first, because its result comes
 * later, never runs without the lock.
 */
final class Holding {

    private static final Logger log = LoggerFactory.getLogger(Holding.class);

    private final LockClient client;
    private final List<String> keys;
    private final Kind kind;
    private final LockHold hold;
    private final @Nullable MinimumTime minimum;
    private final AtomicInteger users = new AtomicInteger(1);
    /** Of the calls that want to hear of a loss; null until there is one. Guarded by this object. */
    private @Nullable Set<Runnable> watchers;

    /** It has one user, which is the caller. */
    Holding(LockRequest request, LockHold hold) {
        this.client = request.client();
        this.keys = request.keys();
        this.kind = request.kind();
        this.hold = hold;
        Duration atLeast = request.atLeast();
        this.minimum = atLeast == null
                ? null
                : new MinimumTime(hold, atLeast, request.lease() == null, MinimumTime.USUAL_LEASE);
        if (minimum != null) {
            minimum.begin();
        }
    }

    LockHold hold() {
        return hold;
    }

    List<String> keys() {
        return keys;
    }

    boolean isOf(LockClient other, String key) {
        return (client == other || client.id().equals(other.id())) && keys.contains(key);
    }

    /**
     * One more user, which wants this key as this kind.
     *
     * @return false if it is not held here, or not so, or the last user has left
     */
    boolean join(LockClient by, String key, Kind wanted) {
        return isOf(by, key) && kind.covers(wanted) && join();
    }

    /** Whether the key is held here as another kind, for which a call further in would wait in vain. */
    boolean keepsOut(LockClient from, String key, Kind wanted) {
        return isOf(from, key) && !kind.covers(wanted) && isUsed();
    }

    /** As what its locks are held. */
    Kind kind() {
        return kind;
    }

    /** Whether any call or transaction uses it. */
    boolean isUsed() {
        return users.get() > 0;
    }

    /**
     * One more user.
     *
     * @return false if the last one has left
     */
    boolean join() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /**
     * Has a call hear of a loss, at once if it has happened already, until {@link #unwatch}. The hold itself keeps what is to be
     * told for as long as it lasts, and an outer one may see many calls further in.
     */
    void watch(Runnable watcher) {
        boolean first = false;
        synchronized (this) {
            if (watchers == null) {
                watchers = new LinkedHashSet<>();
                first = true;
            }
            watchers.add(watcher);
        }
        if (first) {
            hold.onLost(loss -> tellWatchers());
        } else if (hold.state() == HoldState.LOST) {
            watcher.run();
        }
    }

    synchronized void unwatch(Runnable watcher) {
        if (watchers != null) {
            watchers.remove(watcher);
        }
    }

    private void tellWatchers() {
        List<Runnable> told;
        synchronized (this) {
            told = watchers == null ? List.of() : List.copyOf(watchers);
        }
        for (Runnable watcher : told) {
            try {
                watcher.run();
            } catch (RuntimeException | Error broken) {
                log.warn("lock '{}': what was to be stopped by its loss failed", Printable.of(hold.name()), broken);
            }
        }
    }

    /** Throws {@link LockLostException} if the hold was lost. */
    void check() {
        hold.ensure(Duration.ZERO);
    }

    /**
     * One user less, on a thread that may block.
     *
     * @throws LockLostException if that was the last one, and the hold had been lost
     */
    void leave() {
        if (users.decrementAndGet() > 0) {
            return;
        }
        if (minimum != null) {
            minimum.end();
            return;
        }
        try {
            hold.release();
        } catch (LockLostException lost) {
            throw lost;
        } catch (LockException unanswered) {
            logRelease(hold, unanswered);
        } catch (RuntimeException refused) {
            // It must not wait: an event loop, where a call that has joined is the last one to leave.
            hold.releaseAsync().whenComplete((done, failure) -> logRelease(hold, failure));
        }
    }

    /** As {@link #leave}, on any thread. The stage always completes normally, when the hold has ended. */
    CompletionStage<@Nullable Void> leaveAsync() {
        if (users.decrementAndGet() > 0) {
            return CompletableFuture.completedStage(null);
        }
        if (minimum != null) {
            minimum.end();
            return CompletableFuture.completedStage(null);
        }
        return hold.releaseAsync().handle((done, failure) -> {
            logRelease(hold, failure);
            return null;
        });
    }

    /** What was done under the lock is done; that the server did not confirm the release is no failure of it. */
    static void logRelease(LockHold hold, @Nullable Throwable failure) {
        if (failure != null && !(failure instanceof LockLostException)) {
            log.warn(
                    "lock '{}': its release was not confirmed, and is repeated: {}",
                    Printable.of(hold.name()),
                    Printable.message(failure));
        }
    }
}
