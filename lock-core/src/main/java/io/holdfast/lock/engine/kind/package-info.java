/**
 * What one kind of lock says to a store, and what its holds exclude.
 */
@NullMarked
package io.holdfast.lock.engine.kind;

import org.jspecify.annotations.NullMarked;
