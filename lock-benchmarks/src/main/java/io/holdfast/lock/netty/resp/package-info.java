/** Benchmarks of the codec. In the package of what they measure, on the class path. Imports JMH and Netty's buffers. */
@NullMarked
package io.holdfast.lock.netty.resp;

import org.jspecify.annotations.NullMarked;
