package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.step.LockKind;

/**
 * What calls that want a lock ask with: the requests of their kind of lock, how long they put up with faults, and where
 * they wait for room or for a fault to pass.
 */
public record Asking(
        ClientFacts facts, LockKind kind, Patience patience, RoomLine roomLine, Retries retries, SilenceLog silence) {

    /** How long calls without a limit put up with faults. */
    long maxOutageNanos() {
        return facts.options().maxOutage().toNanos();
    }
}
