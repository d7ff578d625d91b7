/**
 * Tests that use Netty find out when one of them loses a buffer.
 *
 * <p>Imports Netty's buffers and JUnit, both optional: a user of this package has them.
 */
@NullMarked
package io.holdfast.lock.testkit.netty;

import org.jspecify.annotations.NullMarked;
