/**
 * The {@code cluster} command: workers in several processes whose locks are spread over a cluster, of which a slot is moved and a
 * primary dies. Imports the library, the testkit, and the console beside it.
 */
@NullMarked
package io.holdfast.lock.examples.cluster;

import org.jspecify.annotations.NullMarked;
