package io.holdfast.lock.spring;

import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What one call has of locks: holdings that it joined, and at most one that it took. */
final class Grip {

    private final String name;
    private final List<Holding> holdings;

    /** @param holdings the one that was taken last */
    Grip(String name, List<Holding> holdings) {
        this.name = name;
        this.holdings = holdings;
    }

    List<Holding> holdings() {
        return holdings;
    }

    /** For the code that runs under it. */
    LockHold lent() {
        return new LentHold(holdings.stream().map(Holding::hold).toList());
    }

    /** Whether {@link LockAssert} means it by this name, and its locks are in use: what it was made for may outlive the call. */
    boolean isCalled(String wanted) {
        if (!name.isEmpty() && name.equals(wanted)) {
            return holdings.stream().allMatch(Holding::isUsed);
        }
        for (Holding holding : holdings) {
            if (holding.keys().contains(wanted) && holding.isUsed()) {
                return true;
            }
        }
        return false;
    }

    /** Why the locks are not held any more; null if they are. */
    @Nullable
    LockLostException loss() {
        try {
            check();
            return null;
        } catch (LockLostException lost) {
            return lost;
        }
    }

    /** Throws {@link LockLostException} if one of the holds was lost. */
    void check() {
        holdings.forEach(Holding::check);
    }

    /** Runs it if one of the holds is lost before {@link #unwatch}; more than once, if several are. */
    void watch(Runnable watcher) {
        holdings.forEach(holding -> holding.watch(watcher));
    }

    void unwatch(Runnable watcher) {
        holdings.forEach(holding -> holding.unwatch(watcher));
    }

    /**
     * The call has ended, on a thread that may block.
     *
     * @return why the locks were not held to the end; null if they were
     */
    @Nullable
    LockLostException end() {
        LockLostException loss = loss();
        for (int i = holdings.size() - 1; i >= 0; i--) {
            try {
                holdings.get(i).leave();
            } catch (LockLostException lost) {
                loss = loss == null ? lost : loss;
            }
        }
        return loss;
    }

    /** As {@link #end}, on any thread; the stage always completes normally. */
    CompletionStage<@Nullable LockLostException> endAsync() {
        LockLostException loss = loss();
        CompletableFuture<@Nullable LockLostException> ended = new CompletableFuture<>();
        AtomicInteger left = new AtomicInteger(holdings.size());
        for (int i = holdings.size() - 1; i >= 0; i--) {
            holdings.get(i).leaveAsync().whenComplete((done, never) -> {
                if (left.decrementAndGet() == 0) {
                    ended.complete(loss);
                }
            });
        }
        return ended;
    }
}
