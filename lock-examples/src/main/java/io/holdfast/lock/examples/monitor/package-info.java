/** The {@code monitor} command: what the server executes, in words. Imports the library, Jedis and the console. */
@NullMarked
package io.holdfast.lock.examples.monitor;

import org.jspecify.annotations.NullMarked;
