/**
 * A count-down latch over several processes, one of which is killed before it counts. May use the rest of the examples and
 * Holdfast's API.
 */
@NullMarked
package io.holdfast.lock.examples.barrier;

import org.jspecify.annotations.NullMarked;
