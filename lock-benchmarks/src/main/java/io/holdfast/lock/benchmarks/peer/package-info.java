/** The lock libraries that are measured, each behind the same few calls. Imports the libraries and the test kit. */
@NullMarked
package io.holdfast.lock.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
