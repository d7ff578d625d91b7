package io.holdfast.lock.spring;

import io.holdfast.lock.HoldState;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a hold for a least time, counted from its grant. Its lease is a fixed one that covers that time: it stays on the server if
 * the client is closed or its process dies, where a renewed one would be released, or run out. While the hold is used it is
 * extended whenever less than a part of the usual lease is left. Timers are the JDK's; no thread waits.
 */
final class MinimumTime {

    private static final Logger log = LoggerFactory.getLogger(MinimumTime.class);

    /** To this a hold is extended that is used for longer. */
    static final Duration USUAL_LEASE = Duration.ofSeconds(30);

    /** For the margin of a lease, which is a hundredth, and for the time in which the release gets there. */
    private static final int MARGIN_PART = 50;

    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final LockHold hold;
    private final Duration usualLease;
    private final boolean extended;
    private final long endNanos;
    /** Completed early to cancel it. Guarded by this object. */
    private @Nullable CompletableFuture<Void> timer;

    private boolean over;

    /**
     * @param extended whether the hold lasts as long as it is used; its lease is then {@link #lease}
     * @param usualLease to which it is extended
     */
    MinimumTime(LockHold hold, Duration atLeast, boolean extended, Duration usualLease) {
        this.hold = hold;
        this.usualLease = usualLease;
        this.extended = extended;
        this.endNanos = System.nanoTime() + atLeast.toNanos();
    }

    /** The lease with which a hold is taken that is kept for so long. */
    static Duration lease(Duration atLeast) {
        Duration covering = atLeast.plus(atLeast.dividedBy(MARGIN_PART)).plus(MARGIN);
        return covering.compareTo(USUAL_LEASE) > 0 ? covering : USUAL_LEASE;
    }

    void begin() {
        hold.onLost(loss -> forget());
        extendLater();
    }

    /** It has no time to wait for: the hold was lost, or its client was closed. */
    private synchronized void forget() {
        over = true;
        cancelTimer();
    }

    private synchronized void extendLater() {
        if (extended && !over) {
            after(usualLease.dividedBy(3).toNanos(), this::extend);
        }
    }

    /** By who owns this object. */
    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void extend() {
        synchronized (this) {
            if (over) {
                return;
            }
        }
        try {
            if (hold.validFor().compareTo(usualLease.dividedBy(3).multipliedBy(2)) < 0) {
                hold.extendAsync(usualLease).whenComplete((done, failure) -> {
                    if (failure != null && !(failure instanceof LockLostException)) {
                        log.warn(
                                "lock '{}': an extension failed: {}", Printable.of(hold.name()), Printable.of(failure));
                    }
                });
            }
        } catch (IllegalArgumentException beyondMaxHold) {
            log.warn("{}", Printable.message(beyondMaxHold.getMessage()));
            return;
        }
        extendLater();
    }

    /** The hold is not used any more: it is released when its time has come, at once if that is over. */
    void end() {
        synchronized (this) {
            over = true;
            cancelTimer();
            long left = endNanos - System.nanoTime();
            if (left > 0 && hold.state() != HoldState.LOST) {
                after(left, this::release);
                return;
            }
        }
        release();
    }

    private void release() {
        hold.releaseAsync().whenComplete((done, failure) -> Holding.logRelease(hold, failure));
    }

    private void after(long nanos, Runnable step) {
        CompletableFuture<Void> fresh = new CompletableFuture<>();
        timer = fresh;
        fresh.whenComplete((done, cancelled) -> {
            if (cancelled == null) {
                step.run();
            }
        });
        CompletableFuture<Void> unused = fresh.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
    }
}
