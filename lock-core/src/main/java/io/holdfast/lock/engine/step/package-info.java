/**
 * One step on one store: how it is written as a script call, answered, repeated and given up; and what a kind of lock
 * says.
 */
@NullMarked
package io.holdfast.lock.engine.step;

import org.jspecify.annotations.NullMarked;
