/**
 * Looking without taking: what stores say of a lock, and values that a token guards.
 */
@NullMarked
package io.holdfast.lock.engine.inspect;

import org.jspecify.annotations.NullMarked;
