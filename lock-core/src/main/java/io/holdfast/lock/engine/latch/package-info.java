/**
 * What processes tell each other without a lock: count-down latches and signals.
 */
@NullMarked
package io.holdfast.lock.engine.latch;

import org.jspecify.annotations.NullMarked;
