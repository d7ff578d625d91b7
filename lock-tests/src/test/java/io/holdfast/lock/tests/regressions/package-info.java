/**
 * One test for each behaviour of Redisson 4.7.0 that this library must not have, named after what must hold instead.
 * Imports the lock API, the test kit and the harness.
 */
@NullMarked
package io.holdfast.lock.tests.regressions;

import org.jspecify.annotations.NullMarked;
