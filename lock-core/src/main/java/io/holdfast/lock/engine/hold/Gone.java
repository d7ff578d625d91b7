package io.holdfast.lock.engine.hold;

import io.holdfast.lock.LossReason;

/**
 * Why a store does not know a hold any more: another server has taken the place of the one that knew it, or the hold was
 * removed there.
 *
 * @param detail when that was found out, and what it means
 */
record Gone(LossReason reason, String detail) {}
