/** What was measured: samples, their statistics, ratios and goals. Imports the names of the peers only. */
@NullMarked
package io.holdfast.lock.benchmarks.result;

import org.jspecify.annotations.NullMarked;
