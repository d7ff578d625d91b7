/** Fleets in which Redisson and Holdfast share locks. */
@NullMarked
package io.holdfast.lock.tests.redisson;

import org.jspecify.annotations.NullMarked;
