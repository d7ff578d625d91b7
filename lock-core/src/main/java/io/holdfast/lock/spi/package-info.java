/**
 * The needs of the engine from a transport and a clock.
 *
 * <p>Imports the JDK, and how foreign text is shown. A transport implements {@link io.holdfast.lock.spi.Backend} and
 * {@link io.holdfast.lock.spi.Runtime}; nothing here knows of sockets, Netty or Redis clusters.
 */
@NullMarked
package io.holdfast.lock.spi;

import org.jspecify.annotations.NullMarked;
