/** What the commands show themselves with: lines, a live line, tables, percentiles. Imports the JDK only. */
@NullMarked
package io.holdfast.lock.examples.console;

import org.jspecify.annotations.NullMarked;
