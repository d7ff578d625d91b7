package io.holdfast.lock.micrometer;

import io.holdfast.lock.LockEvent;
import io.micrometer.observation.Observation;
import java.util.Optional;

/** What is known of what is observed, for conventions, filters and handlers. */
public abstract sealed class LockObservationContext extends Observation.Context
        permits LockAcquireContext, LockHoldContext {

    static final String NONE = "none";

    private final String lockName;
    // Written on a thread of the client's, and read wherever handlers look.
    private volatile String outcome = NONE;
    private volatile String reason = NONE;
    private volatile Optional<LockEvent> event = Optional.empty();

    LockObservationContext(String lockName) {
        this.lockName = lockName;
    }

    /** The lock's name. */
    public String lockName() {
        return lockName;
    }

    /** How it ended, as the tag {@code outcome} of meters has it; {@code none} before the end. */
    public String outcome() {
        return outcome;
    }

    /**
     * Why the call was refused, the hold was lost or its release was not confirmed: {@code key.gone}, for example; {@code none} for
     * everything else.
     */
    public String reason() {
        return reason;
    }

    /**
     * What the core told last: the owner, the token, and exactly how long it took, since an observation ends a little later. Empty
     * for a call that has not ended.
     */
    public Optional<LockEvent> event() {
        return event;
    }

    final void told(LockEvent last) {
        this.event = Optional.of(last);
    }

    final void ended(String how, LockEvent last) {
        this.outcome = how;
        this.reason = last.lossReason()
                .<Enum<?>>map(why -> why)
                .or(last::failureReason)
                .map(Words::of)
                .orElse(NONE);
        told(last);
    }
}
