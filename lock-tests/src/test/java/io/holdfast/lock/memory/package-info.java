/** How tests look into a store in memory, and the same calls at it and at a real server. */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
