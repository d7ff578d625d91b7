/**
 * What Sentinels say of the primary, and whose word counts (rules 83 and 84).
 *
 * <p>Imports the SPI, the connections in {@code connection}, {@code address}, {@code credentials}, {@code resp} and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.sentinel;

import org.jspecify.annotations.NullMarked;
