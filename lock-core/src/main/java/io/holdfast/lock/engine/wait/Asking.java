package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.step.Place;

/**
 * What calls that want a lock ask with: the place where their locks are kept, how long they put up with faults, and where
 * they wait for room or for a fault to pass.
 */
public record Asking(
        ClientFacts facts, Place place, Deadlines deadlines, RoomLine roomLine, Retries retries, SilenceLog silence) {

    /** How long calls without a limit put up with faults. */
    long maxOutageNanos() {
        return facts.options().maxOutage().toNanos();
    }
}
