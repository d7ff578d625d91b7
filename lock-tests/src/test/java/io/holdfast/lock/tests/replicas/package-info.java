/**
 * Locks that replicas have to confirm (rule 85), on a real primary and real replicas. Imports the lock API, the test kit and
 * the harness.
 */
@NullMarked
package io.holdfast.lock.tests.replicas;

import org.jspecify.annotations.NullMarked;
