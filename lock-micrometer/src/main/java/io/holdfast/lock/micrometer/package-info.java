/**
 * Meters ({@link io.holdfast.lock.micrometer.LockMeters}) and observations
 * ({@link io.holdfast.lock.micrometer.LockObservations}) of what clients do. Both are listeners, and know of the core no more than
 * its API. Imports the API, how text is shown, and Micrometer.
 */
@NullMarked
package io.holdfast.lock.micrometer;

import org.jspecify.annotations.NullMarked;
