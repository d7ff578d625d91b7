/**
 * The {@code fair} command: processes queue for one lock, and one is frozen before its turn. Imports the library and the
 * console.
 */
@NullMarked
package io.holdfast.lock.examples.fair;

import org.jspecify.annotations.NullMarked;
