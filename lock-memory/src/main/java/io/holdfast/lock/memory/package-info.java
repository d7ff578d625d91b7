/**
 * Locks within one JVM, by the engine of all clients, without a server. {@code MemoryBackend} is the transport: it hands each call
 * to {@code StoreScripts}, which are the engine's Lua scripts as Java over a {@code Keyspace}. {@code MemoryStore} has the data,
 * {@code StoreClock} its time, and {@code MemoryRuntime} the threads that its clients share.
 */
@NullMarked
package io.holdfast.lock.memory;

import org.jspecify.annotations.NullMarked;
