/** The command {@code holdfast-examples} and its sub-commands. Imports the library, picocli, Jedis and the testkit. */
@NullMarked
package io.holdfast.lock.examples;

import org.jspecify.annotations.NullMarked;
