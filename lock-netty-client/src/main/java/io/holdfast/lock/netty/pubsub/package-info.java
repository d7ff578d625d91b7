/**
 * Published messages: one connection per server, any number of channels on it, any number of listeners per channel.
 *
 * <p>Imports the SPI, the codec in {@code resp}, the connections in {@code connection}, and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.pubsub;

import org.jspecify.annotations.NullMarked;
