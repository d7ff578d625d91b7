/**
 * Calls that want a lock: how they come in, wait, ask, and end.
 */
@NullMarked
package io.holdfast.lock.engine.wait;

import org.jspecify.annotations.NullMarked;
