package io.holdfast.lock.rules.bad.engine.wait;

import io.holdfast.lock.rules.bad.engine.hold.HoldThatSeesItsWaiters;
import org.jspecify.annotations.Nullable;

/** Knows a room below its own, as it may. */
public class WaiterOfAHold {
    @Nullable
    HoldThatSeesItsWaiters hold;
}
