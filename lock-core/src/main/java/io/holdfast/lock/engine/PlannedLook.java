package io.holdfast.lock.engine;

/**
 * When the head of a queue asks the server next, if nothing makes it ask before.
 *
 * <p>A plan outlives the head that made it: whoever is the head then carries it out. So does the alarm, and it is rarely
 * set: a lock that is handed on all the time has a new head and a new plan with every hand-over.
 *
 * <p>Everything here runs within the cell's gate.
 */
final class PlannedLook {

    private final LockCell cell;
    private final Runnable look;
    private final Alarm alarm;
    private boolean planned;
    private long dueNanos;

    /** @param look what is planned */
    PlannedLook(LockCell cell, Runnable look) {
        this.cell = cell;
        this.look = look;
        this.alarm = new Alarm(cell.engine().runtime(), cell, this::lookIfDue);
    }

    /** Plans it for a time from now, whatever was planned before. */
    void after(long delayNanos) {
        planned = true;
        dueNanos = cell.nanos() + delayNanos;
        alarm.setFor(dueNanos);
    }

    /** Plans it for a time from now, unless it is planned already. */
    void unlessPlanned(long delayNanos) {
        if (planned) {
            alarm.setFor(dueNanos);
        } else {
            after(delayNanos);
        }
    }

    /** Plans it for a time from now, unless it is planned for an earlier one. */
    void within(long delayNanos) {
        if (!planned || cell.nanos() + delayNanos - dueNanos < 0) {
            after(delayNanos);
        }
    }

    /** The head asks now; nothing is planned any more. */
    void forget() {
        planned = false;
    }

    /** Nobody will be the head any more. */
    void end() {
        planned = false;
        alarm.cancel();
    }

    private void lookIfDue() {
        if (!planned) {
            return;
        }
        if (dueNanos - cell.nanos() > 0) {
            alarm.setFor(dueNanos);
        } else {
            look.run();
        }
    }
}
