/**
 * What a client writes into a flight recording. Only this package knows {@code jdk.jfr}, which a runtime may lack. It imports the
 * API and how text is shown.
 */
@NullMarked
package io.holdfast.lock.jfr;

import org.jspecify.annotations.NullMarked;
