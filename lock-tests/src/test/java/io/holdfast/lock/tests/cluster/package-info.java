/**
 * Clusters of real processes, whose slots are moved and whose masters are killed, stopped, replaced and continued (rows 14 to 19
 * of the fault matrix). Imports the lock API, the test kit, the harness and the support of tests.
 */
@NullMarked
package io.holdfast.lock.tests.cluster;

import org.jspecify.annotations.NullMarked;
