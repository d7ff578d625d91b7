/** The figures that the README shows, measured and checked. */
@NullMarked
package io.holdfast.lock.tests;

import org.jspecify.annotations.NullMarked;
