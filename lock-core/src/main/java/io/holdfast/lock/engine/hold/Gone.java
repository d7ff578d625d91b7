package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Why a store does not know a hold any more: another server has taken the place of the one that knew it, or the hold was
 * removed there.
 */
record Gone(LossReason reason, String detail) {

    /**
     * @param replacement which server has taken the place of which; null for none
     * @param detail when it was found out that the hold is gone
     */
    static Gone of(@Nullable String replacement, String detail) {
        return replacement == null
                ? new Gone(LossReason.KEY_GONE, detail)
                : new Gone(LossReason.FAILED_OVER, detail + "; " + replacement);
    }
}
