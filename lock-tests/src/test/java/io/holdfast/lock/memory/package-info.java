/** How tests look into a store in memory, and its locks beside those of servers. */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
