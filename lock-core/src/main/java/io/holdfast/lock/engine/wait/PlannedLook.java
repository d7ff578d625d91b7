package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.Alarm;
import io.holdfast.lock.engine.call.SerialGate;
import io.holdfast.lock.spi.Runtime;

/**
 * When a waiter, or the head of a queue, asks the server next, if nothing makes it ask before.
 *
 * <p>The alarm outlives the plans and the heads that make them: a hand-over, after which the next head looks later than
 * the one before it would have, touches no timer.
 *
 * <p>Everything here runs within the gate.
 */
public final class PlannedLook {

    /** How long it may be planned for. */
    final Poll poll;

    private final Runtime runtime;
    private final Runnable look;
    private final Alarm alarm;
    private boolean planned;
    private long dueNanos;

    /** @param look what is planned */
    public PlannedLook(Runtime runtime, SerialGate gate, Runnable look) {
        this.runtime = runtime;
        this.poll = new Poll(runtime);
        this.look = look;
        this.alarm = new Alarm(runtime, gate, this::lookIfDue);
    }

    /** Plans it for a time from now, whatever was planned before. */
    public void after(long delayNanos) {
        plan(runtime.nanos() + delayNanos);
    }

    /** Plans it for a time from now, unless it is planned for an earlier one. */
    public void within(long delayNanos) {
        long atNanos = runtime.nanos() + delayNanos;
        plan(planned && dueNanos - atNanos < 0 ? dueNanos : atNanos);
    }

    private void plan(long atNanos) {
        planned = true;
        dueNanos = atNanos;
        alarm.setFor(atNanos);
    }

    /** The head asks now; nothing is planned any more. */
    public void forget() {
        planned = false;
    }

    /** No call will be the head any more. */
    public void end() {
        planned = false;
        alarm.cancel();
    }

    private void lookIfDue() {
        if (!planned) {
            return;
        }
        if (dueNanos - runtime.nanos() > 0) {
            alarm.setFor(dueNanos);
        } else {
            planned = false;
            look.run();
        }
    }
}
