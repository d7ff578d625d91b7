package io.holdfast.lock.engine.latch;

import io.holdfast.lock.engine.call.Pending;
import io.holdfast.lock.engine.wait.Ticket;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Timer;
import org.jspecify.annotations.Nullable;

/** One call that waits for a latch or a signal, or observes. What is not final belongs to the steps of its watch. */
public abstract class Await {

    final long startNanos;
    /** {@link Ticket#NEVER} for ever. */
    private final long waitNanos;

    private @Nullable Timer timer;
    /** Whether a look was sent since it came. */
    private boolean asked;

    private boolean answered;
    private long seenNanos;
    private boolean late;

    protected Await(long startNanos, long waitNanos) {
        this.startNanos = startNanos;
        this.waitNanos = waitNanos;
    }

    protected abstract Pending<?> result();

    /**
     * Hears what a look has seen.
     *
     * @return whether the call is over
     */
    protected abstract boolean judge(Object seen, String node);

    /** Ends the call, whose time is over. */
    protected abstract boolean refuse();

    final void fail(Throwable why) {
        result().fail(why);
    }

    /** A look has met a fault; returns whether that ends the call. */
    protected boolean endsWith(Fault met) {
        return !met.mayPass();
    }

    /** Whether the longest outage ends it (rule 21). */
    protected boolean endsWithOutage() {
        return !isLimited();
    }

    /** It has to wait for others. */
    final void waits() {
        result().onMadeToWait();
    }

    // --- looks ---

    /** A look is sent. */
    void asked() {
        asked = true;
    }

    /** Whether the answer to the look in flight is one for this call. */
    boolean isAsked() {
        return asked;
    }

    void seen(long lookSentNanos) {
        answered = true;
        seenNanos = lookSentNanos;
    }

    boolean sawWithin(long trustedNanos, long now) {
        return answered && now - seenNanos < trustedNanos;
    }

    // --- time ---

    boolean isLimited() {
        return waitNanos != Ticket.NEVER;
    }

    long leftNanos(long now) {
        return Math.max(0, waitNanos) - (now - startNanos);
    }

    /** Its time is over, and it stays for an answer. */
    void late() {
        late = true;
    }

    boolean isLate() {
        return late;
    }

    void timer(Timer untilDeadline) {
        timer = untilDeadline;
    }

    void cancelTimer() {
        Timer set = timer;
        if (set != null) {
            timer = null;
            set.cancel();
        }
    }
}
