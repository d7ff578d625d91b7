package io.holdfast.lock.engine.hold;

import io.holdfast.lock.engine.key.Owner;
import java.util.Optional;

/**
 * A call that waits for a lock, as it is at one time.
 *
 * @param threadName of the thread that called; empty for a call that belongs to no thread
 */
public record Waiter(Owner owner, long waitedNanos, Optional<String> threadName) {}
