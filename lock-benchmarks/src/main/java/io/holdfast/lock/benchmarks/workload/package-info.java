/** What the peers are asked to do. Imports the peers, the results and the test kit. */
@NullMarked
package io.holdfast.lock.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
