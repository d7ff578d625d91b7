package io.holdfast.lock.engine.hold;

import io.holdfast.lock.HoldKind;
import io.holdfast.lock.engine.key.Owner;
import java.util.Optional;

/**
 * A call that waits for a lock, as it is at one time.
 *
 * @param kind as what it wants the lock
 * @param threadName of the thread that called; empty for a call that belongs to no thread
 */
public record Waiter(Owner owner, HoldKind kind, long waitedNanos, Optional<String> threadName) {}
