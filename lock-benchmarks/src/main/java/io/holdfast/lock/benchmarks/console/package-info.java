/** The terminal: lines, one live line, tables. Imports the JDK only. */
@NullMarked
package io.holdfast.lock.benchmarks.console;

import org.jspecify.annotations.NullMarked;
