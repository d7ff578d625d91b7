/** What the results look like: terminal, web page, JSON, Markdown. Imports the results only. */
@NullMarked
package io.holdfast.lock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
