/**
 * The composition root: event loops, timers and callbacks, put together with the connections.
 *
 * <p>{@link io.holdfast.lock.netty.NettyLockProvider} is the way in, found by {@link java.util.ServiceLoader}. Imports
 * the API, the SPI and Netty; {@link io.holdfast.lock.spi.client.Clients} adds the engine.
 *
 * <p>What runs before a first lock has few lambdas, here and in {@code connection}: the JVM makes a class for each while
 * the lock waits, which takes longer than loading one. Later they cost nothing.
 */
@NullMarked
package io.holdfast.lock.netty;

import org.jspecify.annotations.NullMarked;
