/**
 * The wiring of a transport and the engine: a {@link io.holdfast.lock.spi.client.LockProvider} answers
 * {@link io.holdfast.lock.LockClient#connect(String)}, and {@link io.holdfast.lock.spi.client.Clients} makes a client of what
 * it has connected.
 *
 * <p>Imports the API, the SPI and the engine.
 */
@NullMarked
package io.holdfast.lock.spi.client;

import org.jspecify.annotations.NullMarked;
