/** Fixtures that break the rules. */
@NullMarked
package io.holdfast.lock.rules.bad.memory;

import org.jspecify.annotations.NullMarked;
