/**
 * The composition root: event loops, timers and callbacks, put together with the connections and the engine.
 *
 * <p>{@link io.holdfast.lock.netty.NettyLockProvider} is the way in, found by {@link java.util.ServiceLoader}. Imports
 * the API, the SPI and Netty; it alone sees both the engine and the packages of the transport below it.
 *
 * <p>What runs before a first lock has few lambdas, here and in {@code connection}: the JVM makes a class for each while
 * the lock waits, which takes longer than loading one. Later they cost nothing.
 */
@NullMarked
package io.holdfast.lock.netty;

import org.jspecify.annotations.NullMarked;
