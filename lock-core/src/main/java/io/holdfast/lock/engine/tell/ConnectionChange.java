package io.holdfast.lock.engine.tell;

import io.holdfast.lock.ConnectionEvent;
import io.holdfast.lock.ConnectionPurpose;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.text.Printable;
import java.util.Optional;

/** What a listener is told of a connection. */
record ConnectionChange(
        Change change,
        String node,
        ConnectionPurpose purpose,
        Optional<FailureReason> failureReason,
        Optional<String> detail)
        implements ConnectionEvent {

    @Override
    public String toString() {
        return Printable.message("ConnectionEvent[change=" + change + ", node=" + Printable.of(node) + ", purpose="
                + purpose + ", failureReason="
                + failureReason.map(FailureReason::name).orElse("none") + ", detail=" + detail.orElse("none") + ']');
    }
}
