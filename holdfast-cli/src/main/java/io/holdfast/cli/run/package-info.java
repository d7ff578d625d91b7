/**
 * Running another command while a lock, a permit or a leadership is held: signals, the end after a loss, exit statuses.
 * Imports the API and {@code io.holdfast.cli.text}.
 */
@NullMarked
package io.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;
