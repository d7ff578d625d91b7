/**
 * The composition root: event loops, timers and callbacks, put together with the connections and the engine.
 *
 * <p>{@link io.holdfast.lock.netty.NettyLockProvider} is the way in, found by {@link java.util.ServiceLoader}. Imports
 * the API, the SPI and Netty; it alone sees both the engine and the packages of the transport below it.
 */
@NullMarked
package io.holdfast.lock.netty;

import org.jspecify.annotations.NullMarked;
