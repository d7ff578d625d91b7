package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Vouching;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether Sentinels vouch for the server of one client (rule 88).
 *
 * <p>What counts is one immutable value, published by the event loop; when it runs out is for each thread to see that asks. A
 * thread that is told "none" finds out by a task when that changes, so the event loop has to notice each time at which a
 * thread may have been told so: see {@link #update}.
 */
final class SentinelVouching implements Vouching {

    private static final Logger log = LoggerFactory.getLogger(SentinelVouching.class);

    /**
     * What a majority of all Sentinels says.
     *
     * @param epoch in which it names the server to which calls go
     * @param sentNanos when that was asked for
     */
    record Standing(long epoch, long sentNanos) {

        static final Standing NONE = new Standing(NO_EPOCH, 0);
    }

    private final Runtime runtime;
    private final EventLoop loop;
    private final long silenceNanos;
    private final Runnable begin;
    private final VouchingLog vouchingLog;
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile Standing standing = Standing.NONE;

    // The event loop's own.

    /** What the tasks were run for last. */
    private long toldEpoch = NO_EPOCH;

    private @Nullable ScheduledFuture<?> timer;
    /** When the timer looks whether what counts has run out; means nothing without one. */
    private long timerNanos;

    private boolean ended;

    SentinelVouching(Runtime runtime, EventLoop loop, long silenceNanos, Runnable begin, VouchingLog vouchingLog) {
        this.runtime = runtime;
        this.loop = loop;
        this.silenceNanos = silenceNanos;
        this.begin = begin;
        this.vouchingLog = vouchingLog;
    }

    @Override
    public long epoch() {
        if (!begun.get()) {
            begin();
        }
        // The time is read first: see update.
        long now = runtime.nanos();
        Standing present = standing;
        return isOver(present, now) ? NO_EPOCH : present.epoch;
    }

    private void begin() {
        try {
            if (begun.compareAndSet(false, true)) {
                begin.run();
            }
        } catch (RejectedExecutionException closed) {
            // Then nothing is asked any more, and nothing counts.
            return;
        }
    }

    @Override
    public long untilNanos(long epoch) {
        long now = runtime.nanos();
        Standing present = standing;
        return present.epoch == epoch && epoch != NO_EPOCH ? until(present) : now - 1;
    }

    @Override
    public void listen(Runnable task) {
        tasks.add(task);
    }

    /**
     * Publishes what counts from now on.
     *
     * <p>A thread may have found what counted before to be over just now, although it is replaced in time by something with the
     * same epoch. It reads the clock first and then what counts, and here what counts is written first and then the clock
     * read. So if it read what counted before, then its time is not later than the one here, by which that was over as well,
     * and the tasks are run.
     *
     * @param warrant why it is what it is, for the log
     * @param highest what has counted before, for the log
     * @param place where calls go; null if that is not known yet
     */
    void update(Standing next, Warrant warrant, @Nullable Word highest, Target.@Nullable Host place) {
        if (ended) {
            return;
        }
        Standing before = standing;
        standing = next;
        long now = runtime.nanos();
        boolean hasBeenOver = toldEpoch != NO_EPOCH && isOver(before, now);
        tell(now, hasBeenOver);
        vouchingLog.tell(toldEpoch != NO_EPOCH, now, warrant, highest, place);
    }

    /** For how long an answer counts. */
    long silenceNanos() {
        return silenceNanos;
    }

    /** Nothing counts any more, and nothing is told. */
    void end() {
        ended = true;
        standing = Standing.NONE;
        cancelTimer();
    }

    private void look() {
        timer = null;
        if (!ended) {
            tell(runtime.nanos(), false);
        }
    }

    private void tell(long now, boolean hasBeenOver) {
        Standing present = standing;
        long epoch = isOver(present, now) ? NO_EPOCH : present.epoch;
        boolean isNews = epoch != toldEpoch || hasBeenOver;
        toldEpoch = epoch;
        lookWhenOver(present, now);
        if (isNews) {
            tasks.forEach(SentinelVouching::run);
        }
    }

    /** An answer only makes it later, so that the timer need not be set at each; a Sentinel more makes it sooner. */
    private void lookWhenOver(Standing present, long now) {
        if (toldEpoch == NO_EPOCH) {
            cancelTimer();
            return;
        }
        long until = until(present);
        if (timer != null && timerNanos - until > 0) {
            cancelTimer();
        }
        if (timer == null) {
            timerNanos = until;
            timer = loop.schedule(this::look, until - now, TimeUnit.NANOSECONDS);
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private boolean isOver(Standing present, long now) {
        return present.epoch == NO_EPOCH || now - until(present) >= 0;
    }

    private long until(Standing present) {
        return present.sentNanos + silenceNanos;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            log.error("A client failed when it was told what Sentinels say", bug);
        }
    }
}
