/** Meters and observations of what a client does. */
@NullMarked
package io.holdfast.lock.micrometer;

import org.jspecify.annotations.NullMarked;
