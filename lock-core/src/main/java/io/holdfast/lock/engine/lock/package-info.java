/**
 * One lock as its user sees it.
 */
@NullMarked
package io.holdfast.lock.engine.lock;

import org.jspecify.annotations.NullMarked;
