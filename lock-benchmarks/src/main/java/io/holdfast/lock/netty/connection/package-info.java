/** Benchmarks of the queues before and behind a connection, in the package of what they measure. Imports JMH. */
@NullMarked
package io.holdfast.lock.netty.connection;

import org.jspecify.annotations.NullMarked;
