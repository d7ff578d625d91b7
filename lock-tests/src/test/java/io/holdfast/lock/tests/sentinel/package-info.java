/**
 * Sentinel groups of real processes, whose primaries are killed, stopped, replaced and continued (rows 10, 12 and 13 of the
 * fault matrix). Imports the lock API, the test kit, the harness and the support of tests.
 */
@NullMarked
package io.holdfast.lock.tests.sentinel;

import org.jspecify.annotations.NullMarked;
