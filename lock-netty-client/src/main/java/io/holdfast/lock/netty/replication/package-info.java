/**
 * Whether replicas have what a server has granted: a connection that writes, and then waits for them (rule 85).
 *
 * <p>Imports the SPI, {@code address}, the codec in {@code resp}, {@code credentials}, the connections in {@code connection}, and Netty.
 */
@NullMarked
package io.holdfast.lock.netty.replication;

import org.jspecify.annotations.NullMarked;
