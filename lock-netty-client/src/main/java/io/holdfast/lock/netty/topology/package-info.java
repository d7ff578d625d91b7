/**
 * Which servers there are, and which of them keeps which lock: the {@code Backend}s.
 *
 * <p>Today one server at a time, wherever it is: at its address, the primary of several, or where Sentinels say. Clusters get
 * their own backend here, over the same connections.
 *
 * <p>Imports the SPI and the connections in {@code connection} and {@code pubsub}.
 */
@NullMarked
package io.holdfast.lock.netty.topology;

import org.jspecify.annotations.NullMarked;
