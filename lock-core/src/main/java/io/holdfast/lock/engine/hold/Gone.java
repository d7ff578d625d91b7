package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LossReason;

/**
 * Why a store does not know a hold any more: another server has taken the place of the one that knew it, or the hold was
 * removed there.
 */
record Gone(LossReason reason, String detail) {

    /**
     * @param leases those of the hold
     * @param detail when it was found out that the hold is gone
     */
    static Gone of(HoldLeases leases, String detail) {
        int handedOn = leases.unconfirmedHandOvers();
        String all = handedOn == 0
                ? detail
                : detail + "; the lock was handed on " + handedOn + " times since the server last said that it knew it";
        String replacement = leases.replacement();
        return replacement == null
                ? new Gone(LossReason.KEY_GONE, all)
                : new Gone(LossReason.FAILED_OVER, all + "; " + replacement);
    }
}
