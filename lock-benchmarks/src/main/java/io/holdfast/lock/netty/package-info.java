/** Benchmarks of what runs timed steps. In the package of what they measure, on the class path. Imports JMH. */
@NullMarked
package io.holdfast.lock.netty;

import org.jspecify.annotations.NullMarked;
