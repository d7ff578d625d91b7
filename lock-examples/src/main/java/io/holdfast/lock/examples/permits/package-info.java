/**
 * The {@code permits} command: a limit on connections over several processes, one of which is killed. Imports the library, Jedis for
 * the limit that a counter makes, and the console.
 */
@NullMarked
package io.holdfast.lock.examples.permits;

import org.jspecify.annotations.NullMarked;
