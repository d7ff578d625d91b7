/** The example of a lock over five nodes. Imports the library, the testkit, and the console beside it. */
@NullMarked
package io.holdfast.lock.examples.redlock;

import org.jspecify.annotations.NullMarked;
