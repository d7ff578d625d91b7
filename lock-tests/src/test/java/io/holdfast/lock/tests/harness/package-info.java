/**
 * What several suites need: calls on threads of their own, a look at what the server stores, a listener that remembers,
 * processes that can be stopped. Imports the lock API, the test kit and the evidence; no suite.
 */
@NullMarked
package io.holdfast.lock.tests.harness;

import org.jspecify.annotations.NullMarked;
