/**
 * Semaphores on real servers: who gets permits and in which order, what becomes of permits whose lease or process ends, how the limit
 * is changed, and what all that costs. Imports the lock API, the test kit, the harness, and the support of server tests.
 */
@NullMarked
package io.holdfast.lock.tests.permits;

import org.jspecify.annotations.NullMarked;
