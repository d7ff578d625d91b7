package io.holdfast.lock.netty.connection;

import io.holdfast.lock.spi.Runtime;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that a peer is dead when the network does not say so.
 *
 * <p>A connection that was silent for a while is tried with a PING, whose answer has to arrive within the command
 * timeout. Where an answer is owed already, a PING would only queue up behind it: then the silence may last one
 * interval and one command timeout. Any byte that arrives proves the peer alive.
 *
 * <p>A beat that comes late shows that it is we who stood still: the process was stopped, or starved of processor time.
 * The answer may be waiting in our own socket then, so the verdict is put off once, until that has been read.
 */
final class Heartbeat implements Runnable {

    /** What a heartbeat asks of its connection. */
    interface Patient {

        /** Whether an answer is owed. */
        boolean expectsAnswer();

        /** Since when an answer is owed. */
        long expectsSince();

        void ping();

        /** The peer did not say anything for so long. */
        void dead(long silenceNanos);
    }

    private final Runtime runtime;
    private final Patient patient;
    private final long intervalNanos;
    private final long timeoutNanos;

    private long lastHeardNanos;
    private long pingedNanos;
    private boolean pinged;
    private long dueNanos;
    private boolean putOff;
    private @Nullable EventLoop loop;
    private @Nullable ScheduledFuture<?> next;

    Heartbeat(Runtime runtime, ConnectionSettings settings, Patient patient) {
        this.runtime = runtime;
        this.patient = patient;
        this.intervalNanos = settings.heartbeatNanos();
        this.timeoutNanos = settings.commandTimeoutNanos();
    }

    void start(EventLoop connectionLoop) {
        loop = connectionLoop;
        lastHeardNanos = runtime.nanos();
        schedule(intervalNanos);
    }

    void stop() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }

    /** Bytes have arrived. */
    void heard() {
        lastHeardNanos = runtime.nanos();
        pinged = false;
        putOff = false;
    }

    private void schedule(long delayNanos) {
        dueNanos = runtime.nanos() + delayNanos;
        next = Objects.requireNonNull(loop, "not started").schedule(this, delayNanos, TimeUnit.NANOSECONDS);
    }

    /** A beat. */
    @Override
    public void run() {
        long now = runtime.nanos();
        long silence = now - lastHeardNanos;
        if (silence < intervalNanos) {
            schedule(intervalNanos - silence);
            return;
        }
        if (!pinged && !patient.expectsAnswer()) {
            pinged = true;
            pingedNanos = now;
            patient.ping();
            schedule(timeoutNanos);
            return;
        }
        long patienceLeft = pinged
                ? timeoutNanos - (now - pingedNanos)
                : intervalNanos + timeoutNanos - Math.min(silence, now - patient.expectsSince());
        if (patienceLeft > 0) {
            schedule(patienceLeft);
        } else if (!putOff && now - dueNanos > timeoutNanos / 4) {
            putOff = true;
            schedule(timeoutNanos / 4);
        } else {
            patient.dead(silence);
        }
    }
}
