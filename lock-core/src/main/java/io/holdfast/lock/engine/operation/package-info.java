/**
 * What is done with a hold: re-entry, release, hand-over, extension, and freeing by force.
 */
@NullMarked
package io.holdfast.lock.engine.operation;

import org.jspecify.annotations.NullMarked;
