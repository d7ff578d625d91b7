/**
 * What goes on with holds by itself: renewal, losses, and the undoing of what is left behind.
 */
@NullMarked
package io.holdfast.lock.engine.upkeep;

import org.jspecify.annotations.NullMarked;
