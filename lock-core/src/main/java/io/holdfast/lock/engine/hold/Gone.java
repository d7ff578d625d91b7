package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LossReason;

/**
 * Why a store does not know a hold any more: another server has taken the place of the one that knew it, or the hold was
 * removed there.
 */
record Gone(LossReason reason, String detail) {

    /** @param detail when that was found out */
    static Gone of(HoldLeases leases, String detail) {
        // Of a quorum, each node stays where it is.
        String replacement = leases.isQuorum() ? null : leases.get(0).replacement();
        return replacement == null
                ? new Gone(LossReason.KEY_GONE, detail)
                : new Gone(LossReason.FAILED_OVER, detail + "; " + replacement);
    }
}
