/** The command: what it measures, in which order, and where the results go. Imports everything below it. */
@NullMarked
package io.holdfast.lock.benchmarks;

import org.jspecify.annotations.NullMarked;
