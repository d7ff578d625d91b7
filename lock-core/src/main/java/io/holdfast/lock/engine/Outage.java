package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Fault;
import org.jspecify.annotations.Nullable;

/**
 * The requests for one lock that the server has left without an answer since it gave one (rule 21).
 *
 * <p>It counts once for all calls that wait, from the sending of the first such request. A call that comes while it lasts
 * was not there when it began, and counts from its own beginning. Belongs to the cell's steps.
 */
final class Outage {

    /** What the latest request met; null while requests are answered. */
    private @Nullable Fault fault;

    private long sinceNanos;

    /** A request that was sent at this time met a fault. */
    void met(Fault met, long sentNanos) {
        if (fault == null) {
            sinceNanos = sentNanos;
        }
        fault = met;
    }

    /** The server has granted or refused a request. */
    void over() {
        fault = null;
    }

    boolean isOn() {
        return fault != null;
    }

    /** What the latest request met; null while requests are answered. */
    @Nullable
    Fault fault() {
        return fault;
    }

    /**
     * Since when a call has put up with it.
     *
     * @param sentNanos when the request was sent that is without an answer, should it be the first
     */
    long sinceNanos(Ticket ticket, long sentNanos) {
        long began = isOn() ? sinceNanos : sentNanos;
        return began - ticket.startNanos > 0 ? began : ticket.startNanos;
    }
}
