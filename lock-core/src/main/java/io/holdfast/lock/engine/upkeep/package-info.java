/**
 * What goes on with holds by itself: renewal, losses, the undoing of what is left behind, and the events that
 * listeners hear.
 */
@NullMarked
package io.holdfast.lock.engine.upkeep;

import org.jspecify.annotations.NullMarked;
