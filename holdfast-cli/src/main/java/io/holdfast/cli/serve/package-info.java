/** The page of {@code holdfast serve}: a feed of looks at a store, and the JDK's HTTP server that tells it to browsers. */
@NullMarked
package io.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
