package io.holdfast.lock.engine.wait;

import io.holdfast.lock.engine.call.ClientFacts;
import io.holdfast.lock.engine.call.Retries;
import io.holdfast.lock.engine.step.Exchanges;
import io.holdfast.lock.engine.step.Place;
import io.holdfast.lock.spi.Replication;
import org.jspecify.annotations.Nullable;

/**
 * What calls that want a lock ask with: the place where their locks are kept, how long they put up with faults, and where
 * they wait for room or for a fault to pass.
 *
 * @param exchanges what the client has yet to send, ahead of what calls ask for
 * @param distance how far the servers are, as the client's requests say
 * @param replication how replicas are asked for what was granted; null if they are not
 */
public record Asking(
        ClientFacts facts,
        Place place,
        Exchanges exchanges,
        Deadlines deadlines,
        RoomLine roomLine,
        Retries retries,
        SilenceLog silence,
        Distance distance,
        @Nullable Replication replication) {

    /** How long calls without a limit put up with faults. */
    long maxOutageNanos() {
        return facts.options().maxOutage().toNanos();
    }
}
