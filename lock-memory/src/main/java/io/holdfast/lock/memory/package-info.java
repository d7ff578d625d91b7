/** Locks within one JVM, by the engine of all clients, without a server. */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
