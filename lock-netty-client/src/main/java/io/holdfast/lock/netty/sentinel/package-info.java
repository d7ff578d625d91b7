/**
 * What Sentinels say of the primary, whose word counts (rules 83 and 84), and what the failover guard may go by (rule 88).
 *
 * <p>Imports the SPI, the connections in {@code connection}, {@code address}, {@code credentials}, {@code resp} and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.sentinel;

import org.jspecify.annotations.NullMarked;
