/**
 * Which servers there are, and which of them keeps which lock: the {@code Backend}s.
 *
 * <p>Today one server. Sentinel groups and Clusters get their own backends here, over the same connections.
 *
 * <p>Imports the SPI and the connections in {@code connection} and {@code pubsub}.
 */
@NullMarked
package io.holdfast.lock.netty.topology;

import org.jspecify.annotations.NullMarked;
