package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One alarm for all deadlines of an endpoint: set to the earliest, it then looks through all calls.
 *
 * <p>A timer per call would cost more than the call. Nearly every call is answered long before its deadline, so the
 * alarm rings about once per command timeout while there is traffic, and not at all when there is none.
 */
public final class DeadlineTimer implements Runnable {

    /** Deadlines closer together than this share one look. */
    private static final long GRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EventLoop loop;
    private final Runtime runtime;
    private final Runnable look;

    private @Nullable ScheduledFuture<?> alarm;
    private long alarmNanos;

    /** While the calls are looked through, their deadlines are only compared. */
    private boolean looking;

    private boolean found;
    private long earliestNanos;

    /** @param look looks through the calls, and includes the deadlines of those that are left */
    public DeadlineTimer(EventLoop loop, Runtime runtime, Runnable look) {
        this.loop = loop;
        this.runtime = runtime;
        this.look = look;
    }

    /** Makes sure that the alarm rings at a deadline or, to look again, before it. */
    public void include(long deadlineNanos) {
        if (looking) {
            if (!found || deadlineNanos - earliestNanos < 0) {
                found = true;
                earliestNanos = deadlineNanos;
            }
            return;
        }
        if (alarm != null && alarmNanos - deadlineNanos <= 0) {
            return;
        }
        long now = runtime.nanos();
        long delay = Math.max(GRAIN_NANOS, deadlineNanos - now);
        if (alarm != null) {
            if (alarmNanos - (now + delay) <= 0) {
                // The deadline is so near that it would put the alarm off.
                return;
            }
            alarm.cancel(false);
        }
        alarmNanos = now + delay;
        alarm = loop.schedule(this, delay, TimeUnit.NANOSECONDS);
    }

    public void stop() {
        if (alarm != null) {
            alarm.cancel(false);
            alarm = null;
        }
    }

    /** The alarm rings. */
    @Override
    public void run() {
        alarm = null;
        looking = true;
        found = false;
        try {
            look.run();
        } finally {
            looking = false;
            if (found) {
                include(earliestNanos);
            }
        }
    }
}
