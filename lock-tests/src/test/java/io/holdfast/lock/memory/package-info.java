/** How tests look into a store in memory. */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
