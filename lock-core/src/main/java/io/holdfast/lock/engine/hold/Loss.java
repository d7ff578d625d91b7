package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LockLoss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.text.Printable;

/** The report of a lost hold. */
public record Loss(
        String name,
        String owner,
        long fencingToken,
        String node,
        LossReason reason,
        String detail,
        int handedOutUnconfirmed)
        implements LockLoss {

    /** On one line, whatever the lock is called. */
    @Override
    public String toString() {
        return Printable.message("LockLoss[name=" + Printable.of(name) + ", owner=" + owner + ", fencingToken="
                + fencingToken + ", node=" + node + ", reason=" + reason + ", detail=" + detail
                + (handedOutUnconfirmed == 0 ? "" : ", handedOutUnconfirmed=" + handedOutUnconfirmed) + ']');
    }
}
