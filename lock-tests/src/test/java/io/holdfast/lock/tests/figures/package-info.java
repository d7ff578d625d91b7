/** How figures are measured and shown. */
@NullMarked
package io.holdfast.lock.tests.figures;

import org.jspecify.annotations.NullMarked;
