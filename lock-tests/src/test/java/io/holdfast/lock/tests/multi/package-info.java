/**
 * Several locks taken as one, on real servers: all or none, in an order that cannot deadlock, with nothing left behind
 * on any way out. Imports the lock API, the test kit and the support.
 */
@NullMarked
package io.holdfast.lock.tests.multi;

import org.jspecify.annotations.NullMarked;
