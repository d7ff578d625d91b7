/**
 * The {@code failover} command: buyers in several processes whose locks live behind Sentinels, and a primary that dies.
 * Imports the library, the testkit, and the console beside it.
 */
@NullMarked
package io.holdfast.lock.examples.failover;

import org.jspecify.annotations.NullMarked;
