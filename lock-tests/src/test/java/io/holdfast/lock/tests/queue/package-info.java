/**
 * Locks whose waiters stand in a queue at the server, the fair and the read/write lock, on real servers: who comes in with whom
 * and after whom, what a waiter leaves when it goes or dies, and what all that costs. Imports the lock API, the test kit, the
 * harness, and the support of server tests.
 */
@NullMarked
package io.holdfast.lock.tests.queue;

import org.jspecify.annotations.NullMarked;
