/** Fixtures that break the rules. */
@NullMarked
package io.holdfast.lock.rules.bad.micrometer;

import org.jspecify.annotations.NullMarked;
