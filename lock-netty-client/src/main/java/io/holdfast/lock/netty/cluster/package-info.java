/**
 * Which node of a cluster each call is sent to: the map of its slots, and what happens when the primary of a slot changes.
 *
 * <p>All state belongs to one event loop, on which all nodes of a cluster are connected: so a call, a redirection and a new map
 * have an order.
 *
 * <p>Imports the SPI, {@code pubsub}, {@code replication}, {@code connection}, {@code address}, {@code resp}, and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.cluster;

import org.jspecify.annotations.NullMarked;
