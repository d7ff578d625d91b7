package io.holdfast.lock.rules.bad.engine.hold;

import io.holdfast.lock.rules.bad.engine.wait.WaiterOfAHold;

/** Knows a room that stands on its own. */
public class HoldThatSeesItsWaiters {
    final WaiterOfAHold waiter = new WaiterOfAHold();
}
