/** How the command shows things: lines, columns, durations, JSON. Imports the JDK and {@code io.holdfast.lock.text} only. */
@NullMarked
package io.holdfast.cli.text;

import org.jspecify.annotations.NullMarked;
