package io.holdfast.lock.engine.call;

import io.holdfast.lock.spi.Runtime;
import io.holdfast.lock.spi.Timer;
import org.jspecify.annotations.Nullable;

/**
 * One timer that is set again and again, and goes off at the time it was set for or before.
 *
 * <p>Set for a later time than it is set for already, it stays as it is: to wake the timer's thread takes longer than
 * most steps, and whatever goes off too early finds nothing to do and sets it again.
 *
 * <p>Everything here runs within the gate, its step too.
 */
public final class Alarm {

    private final Runtime runtime;
    private final SerialGate gate;
    private final Runnable step;
    private @Nullable Timer timer;
    private long atNanos;
    /** Which timer is the present one: another that could not be cancelled any more is ignored. */
    private long number;

    public Alarm(Runtime runtime, SerialGate gate, Runnable step) {
        this.runtime = runtime;
        this.gate = gate;
        this.step = step;
    }

    public void setFor(long dueNanos) {
        if (timer != null && atNanos - dueNanos <= 0) {
            return;
        }
        cancel();
        atNanos = dueNanos;
        long present = number;
        timer = runtime.after(Math.max(0, dueNanos - runtime.nanos()), () -> gate.run(() -> goOff(present)));
    }

    public void cancel() {
        number++;
        Timer set = timer;
        if (set != null) {
            timer = null;
            set.cancel();
        }
    }

    private void goOff(long which) {
        if (which == number) {
            timer = null;
            step.run();
        }
    }
}
