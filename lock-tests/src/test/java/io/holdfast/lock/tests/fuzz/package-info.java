/**
 * Bytes and texts of any kind for what reads bytes and texts: the decoder and the parser of addresses. A fuzzer makes
 * them up ({@code lock-tests/fuzz}), and those that led it to new places are kept and tried with every build.
 *
 * <p>Imports the codec and the addresses of the Netty client.
 */
@NullMarked
package io.holdfast.lock.tests.fuzz;

import org.jspecify.annotations.NullMarked;
