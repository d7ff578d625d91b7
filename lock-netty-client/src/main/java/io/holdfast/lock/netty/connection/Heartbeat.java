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
 * <p>A connection without a sign of life for a while is tried with a PING, whose answer has to arrive within the command
 * timeout. Where an answer is owed already, a PING would only queue up behind it: then it may take one interval and one
 * command timeout.
 *
 * <p>A sign of life is a whole answer, since the peer has read what was asked; of a long one each 64 KiB are one.
 * Nothing else is: bytes that trickle may never become an answer, and messages still come where requests do not arrive.
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

        /** The peer did not answer anything for so long. */
        void dead(long silenceNanos);
    }

    /** So much of one answer is a sign of life. */
    static final int PROGRESS_BYTES = 64 << 10;

    private final Runtime runtime;
    private final Patient patient;
    private final long intervalNanos;
    private final long timeoutNanos;

    private long lastSignNanos;
    /** How much of the answer that is under way had arrived at the latest sign of life. */
    private long bytesAtSign;

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
        lastSignNanos = runtime.nanos();
        schedule(intervalNanos);
    }

    void stop() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }

    /** An answer has arrived. */
    void answered() {
        sign(0);
    }

    /** So many bytes of the next answer have arrived. */
    void progressed(long answerBytes) {
        if (answerBytes - bytesAtSign >= PROGRESS_BYTES) {
            sign(answerBytes);
        }
    }

    private void sign(long answerBytes) {
        bytesAtSign = answerBytes;
        lastSignNanos = runtime.nanos();
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
        long silence = now - lastSignNanos;
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
