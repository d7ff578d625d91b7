/**
 * The production engine in a simulated world: time, timers, chance, servers and networks follow from a seed.
 *
 * <p>{@code docs/builders/simulation.md} says what is simulated and what is checked. Imports the API, the SPI, the engine's
 * entrance, a Lua interpreter for the servers, and what tests share; nothing of the Netty transport.
 */
@NullMarked
package io.holdfast.lock.tests.simulation;

import org.jspecify.annotations.NullMarked;
