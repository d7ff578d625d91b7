/**
 * Options as text: a {@code .properties} file and environment variables become {@link io.holdfast.lock.ClientOptions}.
 *
 * <p>Imports the API, how text is shown, and the log. {@link io.holdfast.lock.options.OptionTexts} is the way in;
 * {@link io.holdfast.lock.options.OptionTable} has the options.
 */
@NullMarked
package io.holdfast.lock.options;

import org.jspecify.annotations.NullMarked;
