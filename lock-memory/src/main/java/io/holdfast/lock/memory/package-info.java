/**
 * Locks within one JVM, by the engine of all clients, without a server. {@code MemoryBackend} is the transport: it hands each call
 * to a {@code MemoryStore}, which has the data and runs the engine's Lua scripts over it. {@code StoreClock} is its time, and
 * {@code MemoryRuntime} has the threads that its clients share.
 */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
